import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { Actor } from '#domain/recorded-event.js';
import { StreamRecords } from '../replay/stream-records.js';
import type { NoteNameDto } from './dto/note.dto.js';
import { NoteAccess } from './note-access.js';

export class ExportNote extends Query<AsyncIterable<string>> {
  constructor(
    readonly actor: Actor,
    readonly note: NoteNameDto,
  ) {
    super();
  }
}

/** Streams the lines of a note's signed bundle, without line feeds (SPEC X4). */
@QueryHandler(ExportNote)
export class ExportNoteHandler implements IQueryHandler<ExportNote> {
  constructor(
    private readonly access: NoteAccess,
    private readonly records: StreamRecords,
  ) {}

  async execute({ actor, note }: ExportNote): Promise<AsyncIterable<string>> {
    return this.records.bundle(await this.access.existing(actor, note));
  }
}
