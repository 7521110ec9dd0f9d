import { type Decider, type EventSchema, input } from '../decider.js';
import type { JsonObject } from '../json.js';

/**
 * `submitted`: a log that failed schema or signature; `forged`: a row in Postgres that no event made.
 * A tampered or missing row is told in its own log's stream.
 */
export type QuarantineFault = 'submitted' | 'forged';

export type Quarantined = {
  readonly quarantine_id: string;
  readonly fault: QuarantineFault;
  /** Null where what was submitted names none that could be one. */
  readonly log_id: string | null;
  /** The place and the broken rule, never a value. */
  readonly reason: string;
  readonly at: string;
  /** Who sent it; null for a row. */
  readonly submitted_by: string | null;
  /** An HMAC of it as it came. */
  readonly content_hash: string;
  /** It, past the privacy gate, or where that is kept; empty if it could not be scanned (SPEC P2, P3). */
  readonly content: JsonObject;
};

export type QuarantineEvent = { readonly type: 'log_quarantined'; readonly data: Quarantined };
type QuarantineCommand = { readonly type: 'quarantine' } & Quarantined;

interface QuarantineState {
  readonly quarantined: Quarantined | null;
}

export const quarantineStream = (quarantineId: string): string => `quarantine-${quarantineId}`;

export const quarantineSchemas: Readonly<Record<QuarantineEvent['type'], EventSchema>> = {
  log_quarantined: input,
};

/** `quarantine-<id>`: one thing that was no good, kept for people to look at (SPEC L5). */
export const quarantineDecider: Decider<QuarantineState, QuarantineCommand, QuarantineEvent> = {
  category: 'quarantine',
  schemas: quarantineSchemas,
  initialState: () => ({ quarantined: null }),
  evolve: (_, { data }) => ({ quarantined: data }),
  decide: ({ type: _, ...data }, { quarantined }) =>
    quarantined === null ? [{ type: 'log_quarantined', data }] : [],
  commandOf: ({ data }) => ({ type: 'quarantine', ...data }),
};
