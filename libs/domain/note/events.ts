import { type EventSchema, input } from '../decider.js';
import type { Held, Sealed } from '../held.js';

/** Every event of `note-<HMAC of owner, namespace and key>` (SPEC N1). */
export type NoteEvent =
  | { readonly type: 'note_put'; readonly data: NotePut }
  | { readonly type: 'note_deleted'; readonly data: NoteDeleted }
  /** The time to live of the note has passed (SPEC N3). */
  | { readonly type: 'note_expired'; readonly data: NoteExpired };

/**
 * A note's name. Namespace and key are each in clear, or sealed if they contain personal data. Every put has the
 * whole name, because the stream's name is an HMAC.
 */
export type NoteName = {
  /** `user:<id>`, or `sub:<sub>` for an agent without a user. */
  readonly owner: string;
} & HeldNamespace &
  HeldKey;

type HeldNamespace =
  { readonly namespace: readonly string[] } | { readonly sealed_namespace: Sealed };

type HeldKey = { readonly key: string } | { readonly sealed_key: Sealed };

export type NotePut = NoteName &
  Held & {
    /** The time of the first put since the note last did not exist. */
    readonly created_at: string;
    /** The wall-clock time of this put, recorded as input. */
    readonly updated_at: string;
    /** The time to live in seconds, from `updated_at`; null without a limit. */
    readonly ttl_seconds: number | null;
    readonly expires_at: string | null;
  };

type NoteDeleted = { readonly deleted_at: string };

type NoteExpired = { readonly expired_at: string };

export const noteSchemas: Readonly<Record<NoteEvent['type'], EventSchema>> = {
  note_put: input,
  note_deleted: input,
  note_expired: input,
};
