import { Controller, Delete, Get, Post, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Request } from '../platform/http/request.js';
import { RequestController } from '../platform/request-controller.js';
import { DeleteNote } from './delete-note.js';
import { GetNote } from './get-note.js';
import { ListNamespaces } from './list-namespaces.js';
import { ListNotes } from './list-notes.js';
import { PutNote } from './put-note.js';
import { ReadNoteHistory } from './note-history.js';
import { ExportNote, ReplayNote } from './note-record.js';

@ApiTags('notes')
@Controller('v1/notes')
export class NotesController extends RequestController {
  @Put()
  put(@Request() note: PutNote) {
    return this.commands.execute(note);
  }

  @Get()
  get(@Request() asked: GetNote) {
    return this.queries.execute(asked);
  }

  @Delete()
  delete(@Request() note: DeleteNote) {
    return this.commands.execute(note);
  }

  @Post('list')
  list(@Request() asked: ListNotes) {
    return this.queries.execute(asked);
  }

  @Post('namespaces')
  namespaces(@Request() asked: ListNamespaces) {
    return this.queries.execute(asked);
  }
}

/** The routes that show what the log has of a note (SPEC N1, X1, X4). */
@ApiTags('notes')
@Controller('v1/notes')
export class NoteRecordController extends RequestController {
  @Post('history')
  history(@Request() asked: ReadNoteHistory) {
    return this.queries.execute(asked);
  }

  @Get('bundle')
  bundle(@Request() asked: ExportNote) {
    return this.queries.execute(asked);
  }

  @Post('replays')
  replay(@Request() asked: ReplayNote) {
    return this.queries.execute(asked);
  }
}
