import { type EventSchema, input } from '../decider.js';
import type { Held } from '../held.js';
import type { JsonObject } from '../json.js';

/** Every event of `sem-<canonical key>`; each one counts as a SEM event (SPEC S8). */
export type SemEvent =
  /** The first raw title that leads to this key owns it (SPEC K4). */
  | { readonly type: 'key_claimed'; readonly data: KeyClaim }
  /** Another title leads to this key and got `key` instead, which a person reviews (SPEC K4). */
  | { readonly type: 'collision_event'; readonly data: KeyClaim }
  | { readonly type: 'fact_put'; readonly data: FactPut }
  | { readonly type: 'fact_deleted'; readonly data: FactDeleted };

type KeyClaim = {
  /** Trimmed, lower-cased, white space folded: the form in which titles are compared. */
  readonly title: string;
  /** The canonical key that the claimed title owns. */
  readonly key: string;
};

/** `user`, `system` or `agent:<id>`. */
export type SemSource = string;

export type FactPut = Held & {
  readonly key: string;
  /** YYYY-MM-DDTHH:mm:ss.sssZ */
  readonly timestamp: string;
  readonly source: SemSource;
  readonly notes: string | null;
  readonly meta: JsonObject | null;
  /** Whether the stream already holds a write with a later timestamp, or a larger source (SPEC S3). */
  readonly superseded: boolean;
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
  fact_put: input,
  fact_deleted: input,
};
