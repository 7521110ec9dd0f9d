import { Controller, Delete, Get, Post, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Request } from '../platform/http/request.js';
import { RequestController } from '../platform/request-controller.js';
import { DeleteNote } from './delete-note.js';
import { GetNote } from './get-note.js';
import { ListNamespaces } from './list-namespaces.js';
import { ListNotes } from './list-notes.js';
import { PutNote } from './put-note.js';

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
