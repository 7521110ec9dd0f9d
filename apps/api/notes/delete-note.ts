import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { DeleteNote as DeleteCommand } from '#domain/note/note.decider.js';
import { onlyAnswer } from '#event-store/aggregate-store.js';
import { RequestClaims } from '../platform/request-claims.js';
import { Answer } from '../platform/http/answer.js';
import { EventNumber, Text, TextList } from '../platform/http/fields.js';
import { Describes, WriteRequest } from '../platform/http/request.js';
import type { NoteStore } from '../platform/stores.js';
import { NOTE_STORE } from '../platform/tokens.js';
import { NoteAccess } from './note-access.js';
import { COMPONENTS, KEY, NoteOwner } from './note-fields.js';
import { NoteDeletedDto } from './note-view.js';

@Describes({
  summary: 'Delete one of the caller’s notes; its history stays',
  roles: { own: ['agent', 'user'], of: 'note' },
  example: { namespace: ['trips'], key: 'oslo' },
  answers: [200, NoteDeletedDto],
  fails: ['NOT_FOUND'],
})
export class DeleteNote extends WriteRequest<NoteDeletedDto> {
  @NoteOwner() owner?: string;

  @TextList({ ...COMPONENTS, min: 1, description: 'One parameter for each component, in order.' })
  namespace!: string[];

  @Text(KEY) key!: string;

  @EventNumber({
    optional: true,
    description: 'The deletion fails with VERSION_CONFLICT if the note has another version.',
  })
  if_version?: number;
}

@CommandHandler(DeleteNote)
export class DeleteNoteHandler implements ICommandHandler<DeleteNote> {
  constructor(
    @Inject(NOTE_STORE) private readonly notes: NoteStore,
    private readonly access: NoteAccess,
    private readonly claims: RequestClaims,
  ) {}

  async execute(note: DeleteNote): Promise<Answer<NoteDeletedDto>> {
    const { actor, identity, namespace, key, if_version } = note;
    const owner = this.access.writtenOwner(actor, note.owner);
    const own = await this.access.streamOf(owner, namespace, key, 'read');
    const isKnown = (await this.notes.load(own)).state.owner !== null;
    const stream = isKnown ? await this.claims.streamFor(identity, own) : own;
    const version = if_version === undefined ? {} : { if_version };
    const command: DeleteCommand = { type: 'delete', at: identity.received_at, ...version };
    const deleted = await this.notes.execute(stream, [command], identity);
    return Answer.written(onlyAnswer(deleted), deleted.position);
  }
}
