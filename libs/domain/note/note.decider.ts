import type { AnsweredBy, Decider } from '../decider.js';
import { Refusal } from '../errors/refusal.js';
import { type Held, heldOf } from '../held.js';
import { normalizeTimestamp } from '../sem/timestamp.js';
import { afterSeconds } from '../time-to-live.js';
import { type NoteEvent, type NoteName, type NotePut, noteSchemas } from './events.js';
import { requireTtl, requireValue } from './limits.js';
import { keyOf, nameFrom, namespaceOf } from './name.js';
import { evolveNote, initialNote, noteAt, type NoteState } from './state.js';

/** The caller checks beforehand that the actor owns the note, and the limits of its name. */
export type NoteCommand = PutNote | DeleteNote | { readonly type: 'expire'; readonly at: string };

export type PutNote = NoteName &
  Held &
  PutOptions & { readonly type: 'put' } & AnsweredBy<NoteWritten>;

export interface DeleteNote extends AnsweredBy<NoteRemoved> {
  readonly type: 'delete';
  readonly at: string;
  readonly if_version?: number;
}

interface PutOptions {
  readonly ttl_seconds: number | null;
  /** The wall-clock time, ISO 8601 UTC. */
  readonly at: string;
  /** The version that the note must have; 0 if it must not exist. */
  readonly if_version?: number;
}

/** The answer to a put. */
export type NoteWritten = {
  readonly version: number;
  readonly created_at: string;
  readonly updated_at: string;
  readonly expires_at: string | null;
};

/** The answer to a deletion. */
export type NoteRemoved = { readonly version: number };

/** Makes the refusal for a note that does not exist. */
export const noSuchNote = (): Refusal =>
  new Refusal('NOT_FOUND', { what: 'note', id: 'of this name' });

const NEW_NOTE = 'There is no such note now: send if_version 0, or leave it out.';

function requireVersion(state: NoteState, at: string, expected: number | undefined): void {
  const actual = noteAt(state, at) === undefined ? 0 : state.version;
  if (expected !== undefined && expected !== actual)
    throw new Refusal('VERSION_CONFLICT', { what: 'the note', expected, actual }).teaching(
      actual === 0 ? { instead: NEW_NOTE } : {},
    );
}

const nameOf = (named: NoteName): NoteName =>
  nameFrom(named.owner, namespaceOf(named), keyOf(named));

function put(command: PutNote, state: NoteState): NotePut {
  const updated_at = normalizeTimestamp(command.at);
  const { ttl_seconds } = command;
  requireVersion(state, updated_at, command.if_version);
  requireValue(command);
  requireTtl(ttl_seconds);
  return {
    ...nameOf(command),
    ...heldOf(command),
    created_at: noteAt(state, updated_at)?.created_at ?? updated_at,
    updated_at,
    ttl_seconds,
    expires_at: ttl_seconds === null ? null : afterSeconds(updated_at, ttl_seconds),
  };
}

function decide(command: NoteCommand, state: NoteState): readonly NoteEvent[] {
  if (command.type === 'put') return [{ type: 'note_put', data: put(command, state) }];
  const at = normalizeTimestamp(command.at);
  if (command.type === 'expire') {
    if (state.note === null || noteAt(state, at) !== undefined) return [];
    return [{ type: 'note_expired', data: { expired_at: at } }];
  }
  requireVersion(state, at, command.if_version);
  if (noteAt(state, at) === undefined) throw noSuchNote();
  return [{ type: 'note_deleted', data: { deleted_at: at } }];
}

function commandOf(event: NoteEvent): NoteCommand {
  switch (event.type) {
    case 'note_put': {
      const { ttl_seconds, updated_at: at } = event.data;
      return { type: 'put', ...nameOf(event.data), ...heldOf(event.data), ttl_seconds, at };
    }
    case 'note_deleted':
      return { type: 'delete', at: event.data.deleted_at };
    case 'note_expired':
      return { type: 'expire', at: event.data.expired_at };
  }
}

function resultOf(event: NoteEvent, { version }: NoteState): NoteWritten | NoteRemoved {
  if (event.type !== 'note_put') return { version };
  const { created_at, updated_at, expires_at } = event.data;
  return { version, created_at, updated_at, expires_at };
}

/** One note, in `note-<HMAC of owner, namespace and key>` (SPEC N1, N3). */
export const noteDecider: Decider<NoteState, NoteCommand, NoteEvent> = {
  category: 'note',
  schemas: noteSchemas,
  initialState: initialNote,
  evolve: evolveNote,
  decide,
  commandOf,
  resultOf,
  sizeOf: ({ note }) => JSON.stringify(note).length,
};
