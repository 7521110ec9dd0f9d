import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Json } from '#domain/json.js';
import {
  MAX_COMPONENT_LENGTH,
  MAX_COMPONENTS,
  NOTE_NAME,
  NOTE_VALUE,
} from '#domain/note/limits.js';
import { MAX_TTL_SECONDS } from '#domain/time-to-live.js';
import { namedParts, nameFrom } from '#domain/note/name.js';
import type { PutNote as PutCommand } from '#domain/note/note.decider.js';
import { onlyAnswer } from '#event-store/aggregate-store.js';
import { RequestClaims } from '../platform/request-claims.js';
import { Answer } from '../platform/http/answer.js';
import { AnyJson, EventNumber, Text, TextList, Whole } from '../platform/http/fields.js';
import { Describes, WriteRequest } from '../platform/http/request.js';
import type { NoteStore } from '../platform/stores.js';
import { NOTE_STORE } from '../platform/tokens.js';
import { PrivacyGate } from '../privacy/privacy-gate.js';
import { NoteAccess } from './note-access.js';
import { COMPONENTS, KEY, NoteOwner } from './note-fields.js';
import { NoteDto } from './note-view.js';

@Describes({
  summary: 'Write one of the caller’s notes as a whole',
  roles: { own: ['agent', 'user'], of: 'note' },
  example: { namespace: ['trips'], key: 'oslo', value: { seat: 'window' } },
  answers: [200, NoteDto],
  fails: ['PRIVACY_BLOCKED'],
})
export class PutNote extends WriteRequest<NoteDto> {
  @NoteOwner() owner?: string;

  @TextList({
    ...COMPONENTS,
    min: 1,
    description: `1 to ${MAX_COMPONENTS} components of at most ${MAX_COMPONENT_LENGTH} characters.`,
  })
  namespace!: string[];

  @Text(KEY) key!: string;

  @AnyJson({ description: 'At most 64 KB as canonical JSON.' })
  value!: Json;

  @EventNumber({
    optional: true,
    description:
      'The put fails with VERSION_CONFLICT if the note has another version; 0: it must not exist.',
  })
  if_version?: number;

  @Whole({
    optional: true,
    min: 1,
    max: MAX_TTL_SECONDS,
    description: 'The note expires so many seconds after this put. Default: never.',
  })
  ttl_seconds?: number;
}

@CommandHandler(PutNote)
export class PutNoteHandler implements ICommandHandler<PutNote> {
  constructor(
    @Inject(NOTE_STORE) private readonly notes: NoteStore,
    private readonly access: NoteAccess,
    private readonly gate: PrivacyGate,
    private readonly claims: RequestClaims,
  ) {}

  async execute(note: PutNote): Promise<Answer<NoteDto>> {
    const { actor, identity, value, if_version, ttl_seconds } = note;
    const owner = this.access.writtenOwner(actor, note.owner);
    const own = await this.access.streamOf(owner, note.namespace, note.key);
    const namespace = namedParts(note.namespace);
    const key = note.key.normalize('NFC');
    const name = nameFrom(
      owner,
      await this.gate.held(owner, namespace, NOTE_NAME),
      await this.gate.held(owner, key, NOTE_NAME),
    );
    // The key is the field's name, by which the rules recognise a value such as a password.
    const held = await this.gate.held(owner, value, NOTE_VALUE, key);
    const stream = await this.claims.streamFor(identity, own);
    const command: PutCommand = {
      type: 'put',
      ...name,
      ...held,
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
