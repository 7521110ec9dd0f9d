import { Inject, Injectable } from '@nestjs/common';
import { invalid } from '#domain/note/limits.js';
import { noSuchNote } from '#domain/note/note.decider.js';
import type { Json, JsonObject } from '#domain/json.js';
import type { Actor } from '#domain/recorded-event.js';
import type { EventStore } from '#event-store/event-store.js';
import type { NoteStore } from '../platform/stores.js';
import { EVENT_STORE, NOTE_STORE } from '../platform/tokens.js';
import { NoteAccess } from './note-access.js';

const FIELDS = ['namespace', 'key', 'stream', 'version'];

/** Turns a note that a proposal cites into the event that it names (SPEC N2). */
@Injectable()
export class NoteEvidence {
  constructor(
    @Inject(EVENT_STORE) private readonly eventStore: EventStore,
    @Inject(NOTE_STORE) private readonly notes: NoteStore,
    private readonly access: NoteAccess,
  ) {}

  /**
   * Returns evidence in which each `{note: {namespace, key, version?}}` is replaced by `{note: {stream, version, hash}}`;
   * other evidence stays as it is. Without a version, it is the current one. @throws Refusal NOT_FOUND for a note that
   * the caller may not read, and INVALID_INPUT for a version that is not a put of the note
   */
  named(actor: Actor, evidence: readonly JsonObject[]): Promise<JsonObject[]> {
    return Promise.all(
      evidence.map(async (item) => {
        const { note } = item;
        return isNoteName(note) ? { ...item, note: await this.eventOf(actor, note) } : item;
      }),
    );
  }

  private async eventOf(actor: Actor, note: JsonObject): Promise<JsonObject> {
    const { version: named, ...name } = nameIn(note);
    const stream = await this.access.existing(actor, name);
    const { state } = await this.notes.load(stream);
    const version = named ?? state.version;
    const wanted = { from: version - 1, limit: 1 };
    for await (const { type, metadata } of this.eventStore.readStream(stream, wanted))
      if (type === 'note_put') return { stream, version, hash: metadata.hash };
    if (named === undefined) throw noSuchNote();
    throw invalid('evidence: note.version names no put of the note');
  }
}

const isNoteName = (note: Json | undefined): note is JsonObject =>
  typeof note === 'object' &&
  note !== null &&
  !Array.isArray(note) &&
  ('stream' in note || ('namespace' in note && 'key' in note));

/** Returns the name and version in evidence. @throws Refusal INVALID_INPUT */
function nameIn(note: JsonObject) {
  const { namespace, key, stream, version } = note;
  const isName =
    stream === undefined
      ? isTexts(namespace) && typeof key === 'string'
      : typeof stream === 'string' && /^note-[0-9a-f]{64}$/.test(stream);
  const isVersion =
    version === undefined ||
    (typeof version === 'number' && Number.isSafeInteger(version) && version > 0);
  if (!isName || !isVersion || Object.keys(note).some((field) => !FIELDS.includes(field)))
    throw invalid('evidence: a note is {namespace, key, version?} or {stream, version?}');
  return {
    ...(stream === undefined
      ? { namespace: namespace as string[], key: key as string }
      : { stream: stream as string }),
    ...(version === undefined ? {} : { version: version }),
  };
}

const isTexts = (value: Json | undefined): boolean =>
  Array.isArray(value) && (value as readonly Json[]).every((part) => typeof part === 'string');
