import { Body, Controller, Get, Post, Query, type StreamableFile } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Actor } from '#domain/recorded-event.js';
import { BUNDLE_CONTENT, bundleFile } from '../replay/bundle-file.js';
import { ReplayReportDto } from '../replay/dto/replay.dto.js';
import { Caller } from '../platform/auth/caller.decorator.js';
import { readersOf, Roles } from '../platform/auth/roles.js';
import { Answers, Fails } from '../platform/http/answers.decorator.js';
import { NoteHistoryDto, NoteNameDto, NoteReplayDto } from './dto/note.dto.js';
import { NoteHistoryPageDto } from './dto/note-view.dto.js';
import { ExportNote } from './export-note.handler.js';
import { ReadNoteHistory } from './note-history.handler.js';
import { ReplayNote } from './replay-note.handler.js';

/** The routes that show what the log has of a note (SPEC N1, X1, X4). */
@ApiTags('notes')
@Controller('v1/notes')
export class NoteRecordController {
  constructor(private readonly queries: QueryBus) {}

  @Post('history')
  @Roles(readersOf('note'))
  @Answers(200, NoteHistoryPageDto)
  @Fails('NOT_FOUND')
  @ApiOperation({ summary: 'Every event of a note, also after its deletion (SPEC N1)' })
  history(@Caller() actor: Actor, @Body() asked: NoteHistoryDto) {
    return this.queries.execute(new ReadNoteHistory(actor, asked));
  }

  @Get('bundle')
  @Roles(readersOf('note'))
  @ApiOkResponse({ content: BUNDLE_CONTENT })
  @Fails('NOT_FOUND')
  @ApiOperation({
    summary: 'The note’s signed bundle as NDJSON, which `mace verify` checks offline (SPEC X4)',
  })
  async bundle(@Caller() actor: Actor, @Query() note: NoteNameDto): Promise<StreamableFile> {
    return bundleFile('note', await this.queries.execute(new ExportNote(actor, note)));
  }

  @Post('replays')
  @Roles(readersOf('note'))
  @Answers(200, ReplayReportDto)
  @Fails('NOT_FOUND', 'REPLAY_DIVERGENCE', 'INTEGRITY_FAILURE')
  @ApiOperation({ summary: 'Replay the note from its inputs and compare every event (SPEC X1)' })
  replay(@Caller() actor: Actor, @Body() { mode, ...note }: NoteReplayDto) {
    return this.queries.execute(new ReplayNote(actor, note, mode ?? 'audit'));
  }
}
