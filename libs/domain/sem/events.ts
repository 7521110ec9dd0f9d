import { type EventSchema, input } from '../decider.js';
import type { Held } from '../held.js';
import type { JsonObject } from '../json.js';

/** Every event of `sem-<canonical key>`. Each of them counts as a SEM event (SPEC S8). */
export type SemEvent =
  /** A title claimed this key. The first raw title that leads to a key owns it (SPEC K4). */
  | { readonly type: 'key_claimed'; readonly data: KeyClaim }
  /** A second title generated the key of this stream, which another title owns, so it got the key in `data.key`. A person reviews the collision (SPEC K4). */
  | { readonly type: 'collision_event'; readonly data: KeyClaim }
  /** A reviewer has looked at a collision (SPEC K4). */
  | { readonly type: 'collision_closed'; readonly data: CollisionClosed }
  | { readonly type: 'fact_put'; readonly data: FactPut }
  | { readonly type: 'fact_deleted'; readonly data: FactDeleted };

type KeyClaim = {
  /** The title in the form in which titles are compared: trimmed, lower-cased, white space folded. */
  readonly title: string;
  /** The canonical key that the title owns after this event. */
  readonly key: string;
};

export type CollisionClosed = {
  /** The key that was given to the second of two titles with the same key. */
  readonly key: string;
  readonly reason: string;
  readonly closed_by: { readonly sub: string; readonly user_id: string | null };
  readonly closed_at: string;
};

/** The source of a write: `user`, `system` or `agent:<id>`. */
export type SemSource = string;

export type FactPut = Held & {
  readonly key: string;
  /** YYYY-MM-DDTHH:mm:ss.sssZ */
  readonly timestamp: string;
  readonly source: SemSource;
  readonly notes: string | null;
  readonly meta: JsonObject | null;
  /**
   * True if the stream already has a write with a later timestamp, or with the same timestamp and a
   * larger source (SPEC S3).
   */
  readonly superseded: boolean;
  /** The consent under which a sealed value is kept (SPEC P4). */
  readonly consent_id?: string;
  /**
   * The request in which the council cleared every finding of the sealed value, which is sealed under the key of this
   * fact: who may read the key reads it (SPEC W8). Missing in events of schema version 1.
   */
  readonly cleared_in?: string;
};

export type FactDeleted = {
  readonly key: string;
  readonly timestamp: string;
  readonly source: SemSource;
  readonly superseded: boolean;
};

export const semSchemas: Readonly<Record<SemEvent['type'], EventSchema>> = {
  key_claimed: input,
  collision_event: input,
  collision_closed: input,
  fact_put: { version: 2, kind: 'input', upcast: { 1: (data) => data } },
  fact_deleted: input,
};
