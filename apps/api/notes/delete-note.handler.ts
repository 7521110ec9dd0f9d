import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { DeleteNote as DeleteCommand } from '#domain/note/note.decider.js';
import { onlyAnswer } from '#event-store/aggregate-store.js';
import type { Actor } from '#domain/recorded-event.js';
import { RequestClaims } from '../platform/request-claims.js';
import { Answer } from '../platform/http/answer.js';
import type { RequestIdentity } from '../platform/http/identity.decorator.js';
import type { NoteStore } from '../platform/stores.js';
import { NOTE_STORE } from '../platform/tokens.js';
import type { DeleteNoteQuery } from './dto/note.dto.js';
import type { NoteDeletedDto } from './dto/note-view.dto.js';
import { NoteAccess } from './note-access.js';

export class DeleteNote extends Command<Answer<NoteDeletedDto>> {
  constructor(
    readonly actor: Actor,
    readonly note: DeleteNoteQuery,
    readonly identity: RequestIdentity,
  ) {
    super();
  }
}

/** Deletes a note; its history stays (SPEC N3). */
@CommandHandler(DeleteNote)
export class DeleteNoteHandler implements ICommandHandler<DeleteNote> {
  constructor(
    @Inject(NOTE_STORE) private readonly notes: NoteStore,
    private readonly access: NoteAccess,
    private readonly claims: RequestClaims,
  ) {}

  async execute({ actor, note, identity }: DeleteNote): Promise<Answer<NoteDeletedDto>> {
    const { namespace, key, if_version } = note;
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
