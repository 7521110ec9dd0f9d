import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { Actor } from '#domain/recorded-event.js';
import type { ReplayMode, ReplayReport } from '#domain/replay/stream-replay.js';
import { StreamRecords } from '../replay/stream-records.js';
import type { NoteNameDto } from './dto/note.dto.js';
import { NoteAccess } from './note-access.js';

export class ReplayNote extends Query<ReplayReport> {
  constructor(
    readonly actor: Actor,
    readonly note: NoteNameDto,
    readonly mode: ReplayMode,
  ) {
    super();
  }
}

/** Replays a note: folds its stream and decides its changes again (SPEC X1). */
@QueryHandler(ReplayNote)
export class ReplayNoteHandler implements IQueryHandler<ReplayNote> {
  constructor(
    private readonly access: NoteAccess,
    private readonly records: StreamRecords,
  ) {}

  async execute({ actor, note, mode }: ReplayNote): Promise<ReplayReport> {
    return this.records.replay(await this.access.existing(actor, note), mode);
  }
}
