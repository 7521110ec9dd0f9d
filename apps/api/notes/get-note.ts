import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { noSuchNote } from '#domain/note/note.decider.js';
import { noteAt } from '#domain/note/state.js';
import { Moments } from '../moments/moments.js';
import { readersOf } from '../platform/auth/roles.js';
import { Answer } from '../platform/http/answer.js';
import { At, EventNumber } from '../platform/http/fields.js';
import { Describes } from '../platform/http/request.js';
import { ReadBy, type ReadContext, Unredacted } from '../privacy/read-context.decorator.js';
import { UnredactedReads } from '../privacy/unredacted-reads.js';
import { NoteAccess } from './note-access.js';
import { NoteRead } from './note-fields.js';
import { NoteDto } from './note-view.js';
import { ShownNotes } from './shown-notes.js';

@Describes({
  summary: 'One note, as it is now or at an earlier version',
  roles: readersOf('note'),
  example: { namespace: ['trips'], key: 'oslo' },
  answers: [200, NoteDto],
  fails: ['NOT_FOUND'],
})
export class GetNote extends NoteRead<Answer<NoteDto>> {
  @EventNumber({
    optional: true,
    description: 'The note as it was at this version; default: the current one.',
  })
  version?: number;

  @At('version') at?: string;

  @Unredacted() unredacted?: 'true';
  @ReadBy() context!: ReadContext;
}

@QueryHandler(GetNote)
export class GetNoteHandler implements IQueryHandler<GetNote> {
  constructor(
    private readonly access: NoteAccess,
    private readonly shown: ShownNotes,
    private readonly unredacted: UnredactedReads,
    private readonly moments: Moments,
  ) {}

  async execute(asked: GetNote): Promise<Answer<NoteDto>> {
    const { actor, context } = asked;
    const stream = await this.access.readStream(actor, asked);
    const { version, asOf } = await this.moments.versionAt(stream, asked);
    const { state } = await this.access.read(stream, version);
    // An earlier version is shown although it has expired since.
    const note =
      version === undefined ? noteAt(state, new Date().toISOString()) : (state.note ?? undefined);
    if (note === undefined) throw noSuchNote();
    const read = { stream, version: state.version - 1 };
    const isAllowed = await this.unredacted.allow(actor, asked.unredacted, read, context);
    const mayOpen = isAllowed || this.access.isOwn(actor, note.owner);
    return Answer.asOf(await this.shown.put(stream, state.version, note, mayOpen), asOf);
  }
}
