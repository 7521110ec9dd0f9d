import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { PutNote as PutCommand } from '#domain/note/note.decider.js';
import { namedParts } from '#domain/note/name.js';
import { onlyAnswer } from '#event-store/aggregate-store.js';
import type { Actor } from '#domain/recorded-event.js';
import { RequestClaims } from '../platform/request-claims.js';
import { Answer } from '../platform/http/answer.js';
import type { RequestIdentity } from '../platform/http/identity.decorator.js';
import type { NoteStore } from '../platform/stores.js';
import { NOTE_STORE } from '../platform/tokens.js';
import type { PutNoteDto } from './dto/note.dto.js';
import type { NoteDto } from './dto/note-view.dto.js';
import { NoteAccess } from './note-access.js';
import { NoteGate } from './note-gate.js';

export class PutNote extends Command<Answer<NoteDto>> {
  constructor(
    readonly actor: Actor,
    readonly note: PutNoteDto,
    readonly identity: RequestIdentity,
  ) {
    super();
  }
}

/** Writes a note as a whole (SPEC N3). */
@CommandHandler(PutNote)
export class PutNoteHandler implements ICommandHandler<PutNote> {
  constructor(
    @Inject(NOTE_STORE) private readonly notes: NoteStore,
    private readonly access: NoteAccess,
    private readonly gate: NoteGate,
    private readonly claims: RequestClaims,
  ) {}

  async execute({ actor, note, identity }: PutNote): Promise<Answer<NoteDto>> {
    const { value, if_version, ttl_seconds } = note;
    const owner = this.access.writtenOwner(actor, note.owner);
    const own = await this.access.streamOf(owner, note.namespace, note.key);
    const namespace = namedParts(note.namespace);
    const key = note.key.normalize('NFC');
    const gated = await this.gate.noteOf({ owner, namespace, key, value });
    const stream = await this.claims.streamFor(identity, own);
    const command: PutCommand = {
      type: 'put',
      ...gated,
      ttl_seconds: ttl_seconds ?? null,
      at: identity.received_at,
    };
    const written = await this.notes.execute(
      stream,
      (_state, isAgain) => [
        if_version === undefined || isAgain ? command : { ...command, if_version },
      ],
      identity,
    );
    const { created_at, updated_at, version, expires_at } = onlyAnswer(written);
    return Answer.written(
      { namespace, key, value, created_at, updated_at, version, expires_at, stream },
      written.position,
    );
  }
}
