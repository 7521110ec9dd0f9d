import { Controller, Get, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Request } from '../platform/http/request.js';
import { RequestController } from '../platform/request-controller.js';
import { ReadNoteHistory } from './note-history.js';
import { ExportNote, ReplayNote } from './note-record.js';

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
