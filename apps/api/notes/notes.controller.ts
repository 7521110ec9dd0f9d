import { Body, Controller, Delete, Get, Post, Put, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Actor } from '#domain/recorded-event.js';
import { Caller } from '../platform/auth/caller.decorator.js';
import { readersOf, Roles } from '../platform/auth/roles.js';
import { Answers, Fails } from '../platform/http/answers.decorator.js';
import { Identity, type RequestIdentity } from '../platform/http/identity.decorator.js';
import { ReadsFrom } from '../platform/http/reads-from.decorator.js';
import { ReadBy, type ReadContext } from '../privacy/read-context.decorator.js';
import { DeleteNote } from './delete-note.handler.js';
import {
  DeleteNoteQuery,
  GetNoteQuery,
  ListNamespacesDto,
  ListNotesDto,
  PutNoteDto,
} from './dto/note.dto.js';
import { NamespacesPageDto, NoteDeletedDto, NoteDto, NotesPageDto } from './dto/note-view.dto.js';
import { GetNote } from './get-note.handler.js';
import { ListNamespaces } from './list-namespaces.handler.js';
import { ListNotes } from './list-notes.handler.js';
import { PutNote } from './put-note.handler.js';

@ApiTags('notes')
@Controller('v1/notes')
export class NotesController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Put()
  @Roles({ own: ['agent', 'user'], of: 'note' })
  @Answers(200, NoteDto)
  @Fails('PRIVACY_BLOCKED')
  @ApiOperation({ summary: 'Write one of the caller’s notes as a whole (SPEC N1, N3)' })
  put(@Caller() actor: Actor, @Identity() identity: RequestIdentity, @Body() note: PutNoteDto) {
    return this.commands.execute(new PutNote(actor, note, identity));
  }

  @Get()
  @Roles(readersOf('note'))
  @Answers(200, NoteDto)
  @Fails('NOT_FOUND')
  @ApiOperation({ summary: 'One note, as it is now or at an earlier version (SPEC N3, X3)' })
  get(@Caller() actor: Actor, @ReadBy() context: ReadContext, @Query() asked: GetNoteQuery) {
    return this.queries.execute(new GetNote(actor, asked, context));
  }

  @Delete()
  @Roles({ own: ['agent', 'user'], of: 'note' })
  @Answers(200, NoteDeletedDto)
  @Fails('NOT_FOUND')
  @ApiOperation({ summary: 'Delete one of the caller’s notes; its history stays (SPEC N3)' })
  delete(
    @Caller() actor: Actor,
    @Identity() identity: RequestIdentity,
    @Query() note: DeleteNoteQuery,
  ) {
    return this.commands.execute(new DeleteNote(actor, note, identity));
  }

  @Post('list')
  @ReadsFrom('notes')
  @Roles(readersOf('note'))
  @Answers(200, NotesPageDto)
  @ApiOperation({ summary: 'Notes below a namespace, with a filter by fields (SPEC N3)' })
  list(@Caller() actor: Actor, @Body() asked: ListNotesDto) {
    return this.queries.execute(new ListNotes(actor, asked));
  }

  @Post('namespaces')
  @ReadsFrom('notes')
  @Roles(readersOf('note'))
  @Answers(200, NamespacesPageDto)
  @ApiOperation({ summary: 'The namespaces that have notes' })
  namespaces(@Caller() actor: Actor, @Body() asked: ListNamespacesDto) {
    return this.queries.execute(new ListNamespaces(actor, asked));
  }
}
