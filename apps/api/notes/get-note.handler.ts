import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { noSuchNote } from '#domain/note/note.decider.js';
import { noteAt } from '#domain/note/state.js';
import type { Actor } from '#domain/recorded-event.js';
import type { ReadContext } from '../privacy/read-context.decorator.js';
import { UnredactedReads } from '../privacy/unredacted-reads.js';
import type { GetNoteQuery } from './dto/note.dto.js';
import type { NoteDto } from './dto/note-view.dto.js';
import { NoteAccess } from './note-access.js';
import { ShownNotes } from './shown-notes.js';

export class GetNote extends Query<NoteDto> {
  constructor(
    readonly actor: Actor,
    readonly asked: GetNoteQuery,
    readonly context: ReadContext,
  ) {
    super();
  }
}

/** Reads a note from its stream, as it is now or as it was at a version (SPEC N3, X3). */
@QueryHandler(GetNote)
export class GetNoteHandler implements IQueryHandler<GetNote> {
  constructor(
    private readonly access: NoteAccess,
    private readonly shown: ShownNotes,
    private readonly unredacted: UnredactedReads,
  ) {}

  async execute({ actor, asked, context }: GetNote): Promise<NoteDto> {
    const { version } = asked;
    const stream = await this.access.readStream(actor, asked);
    const { state } = await this.access.read(stream, version);
    // An earlier version is shown although it has expired since.
    const note =
      version === undefined ? noteAt(state, new Date().toISOString()) : (state.note ?? undefined);
    if (note === undefined) throw noSuchNote();
    const read = { stream, version: state.version - 1 };
    const isAllowed = await this.unredacted.allow(actor, asked.unredacted, read, context);
    const mayOpen = isAllowed || this.access.isOwn(actor, note.owner);
    return this.shown.put(stream, state.version, note, mayOpen);
  }
}
