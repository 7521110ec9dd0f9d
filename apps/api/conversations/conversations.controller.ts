import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Actor } from '#domain/recorded-event.js';
import { Caller } from '../platform/auth/caller.decorator.js';
import { readersOf, Roles } from '../platform/auth/roles.js';
import { Answers, Fails } from '../platform/http/answers.decorator.js';
import { Identity, type RequestIdentity } from '../platform/http/identity.decorator.js';
import { ReadByParameter, type ReadContext } from '../privacy/read-context.decorator.js';
import { ChangeConversation } from './change-conversation.handler.js';
import {
  AppendItemsDto,
  ChangeDto,
  ConversationChangedDto,
  ConversationItemsDto,
  ConversationPath,
  ItemsChangedDto,
  ItemsQuery,
  PoppedItemDto,
  TransactionDto,
} from './dto/conversation.dto.js';
import { ReadItems } from './read-items.handler.js';

@ApiTags('conversations')
@Controller('v1/conversations')
export class ConversationsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Post(':id/items')
  @Roles({ own: ['agent', 'user'], of: 'conversation' })
  @Answers(201, ItemsChangedDto)
  @Fails('PRIVACY_BLOCKED')
  @ApiOperation({ summary: 'Append items to the caller’s conversation (SPEC N4)' })
  append(
    @Caller() actor: Actor,
    @Identity() identity: RequestIdentity,
    @Param() { id }: ConversationPath,
    @Body() { items, expected_version }: AppendItemsDto,
  ) {
    const change = { type: 'append', items } as const;
    return this.commands.execute(
      new ChangeConversation(actor, id, change, identity, expected_version),
    );
  }

  @Get(':id/items')
  @Roles(readersOf('conversation'))
  @Answers(200, ConversationItemsDto)
  @Fails('PRIVACY_BLOCKED', 'INTEGRITY_FAILURE')
  @ApiOperation({
    summary: 'The last items of a conversation, oldest first, now or at a version (SPEC N4, X3)',
  })
  items(
    @Caller() actor: Actor,
    @ReadByParameter() context: ReadContext,
    @Param() { id }: ConversationPath,
    @Query() asked: ItemsQuery,
  ) {
    return this.queries.execute(new ReadItems(actor, id, asked, context));
  }

  @Post(':id/pop')
  @Roles({ own: ['agent', 'user'], of: 'conversation' })
  @Answers(200, PoppedItemDto)
  @Fails('PRIVACY_BLOCKED')
  @ApiOperation({ summary: 'Remove and return the last item (SPEC N4)' })
  pop(
    @Caller() actor: Actor,
    @Identity() identity: RequestIdentity,
    @Param() { id }: ConversationPath,
    @Body() { expected_version }: ChangeDto,
  ) {
    return this.commands.execute(
      new ChangeConversation(actor, id, { type: 'pop' }, identity, expected_version),
    );
  }

  @Post(':id/clear')
  @Roles({ own: ['agent', 'user'], of: 'conversation' })
  @Answers(200, ConversationChangedDto)
  @Fails('PRIVACY_BLOCKED')
  @ApiOperation({ summary: 'Remove all items; earlier versions keep them (SPEC N4)' })
  clear(
    @Caller() actor: Actor,
    @Identity() identity: RequestIdentity,
    @Param() { id }: ConversationPath,
    @Body() { expected_version }: ChangeDto,
  ) {
    return this.commands.execute(
      new ChangeConversation(actor, id, { type: 'clear' }, identity, expected_version),
    );
  }

  @Post(':id/transactions')
  @Roles({ own: ['agent', 'user'], of: 'conversation' })
  @Answers(200, ItemsChangedDto)
  @Fails('PRIVACY_BLOCKED')
  @ApiOperation({
    summary: 'Replace items in one step, once for each `operation_id` (SPEC N4)',
  })
  transact(
    @Caller() actor: Actor,
    @Identity() identity: RequestIdentity,
    @Param() { id }: ConversationPath,
    @Body() { expected_version, ...transaction }: TransactionDto,
  ) {
    const change = { type: 'replace', ...transaction } as const;
    return this.commands.execute(
      new ChangeConversation(actor, id, change, identity, expected_version),
    );
  }
}
