import { Body, Controller, Get, Param, Post, Query, type StreamableFile } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Actor } from '#domain/recorded-event.js';
import { BUNDLE_CONTENT, bundleFile } from '../replay/bundle-file.js';
import { ReplayDto, ReplayReportDto } from '../replay/dto/replay.dto.js';
import { Caller } from '../platform/auth/caller.decorator.js';
import { readersOf, Roles } from '../platform/auth/roles.js';
import { Answers, Fails } from '../platform/http/answers.decorator.js';
import { ConversationPath, OwnerQuery } from './dto/conversation.dto.js';
import { ExportConversation } from './export-conversation.handler.js';
import { ReplayConversation } from './replay-conversation.handler.js';

/** The routes that show what the log has of a conversation, unchanged and complete (SPEC X1, X4). */
@ApiTags('conversations')
@Controller('v1/conversations')
export class ConversationRecordController {
  constructor(private readonly queries: QueryBus) {}

  @Get(':id/bundle')
  @Roles(readersOf('conversation'))
  @ApiOkResponse({ content: BUNDLE_CONTENT })
  @Fails('NOT_FOUND', 'PRIVACY_BLOCKED')
  @ApiOperation({
    summary:
      'The conversation’s signed bundle as NDJSON, which `mace verify` checks offline (SPEC X4)',
  })
  async bundle(
    @Caller() actor: Actor,
    @Param() { id }: ConversationPath,
    @Query() { owner }: OwnerQuery,
  ): Promise<StreamableFile> {
    const lines = await this.queries.execute(new ExportConversation(actor, id, owner));
    return bundleFile('conversation', lines);
  }

  @Post(':id/replays')
  @Roles(readersOf('conversation'))
  @Answers(200, ReplayReportDto)
  @Fails('NOT_FOUND', 'PRIVACY_BLOCKED', 'REPLAY_DIVERGENCE', 'INTEGRITY_FAILURE')
  @ApiOperation({
    summary: 'Replay the conversation from its inputs and compare every event (SPEC X1)',
  })
  replay(
    @Caller() actor: Actor,
    @Param() { id }: ConversationPath,
    @Query() { owner }: OwnerQuery,
    @Body() { mode }: ReplayDto,
  ) {
    return this.queries.execute(new ReplayConversation(actor, id, owner, mode ?? 'audit'));
  }
}
