import { type Decider, type EventSchema, input } from '../decider.js';
import type { JsonObject } from '../json.js';

/**
 * The fault of a quarantined log. `submitted`: it failed the schema or the signature; `forged`: it is a row in
 * Postgres without an event. A tampered or missing row is recorded in the stream of its log instead.
 */
export type QuarantineFault = 'submitted' | 'forged';

export type Quarantined = {
  readonly quarantine_id: string;
  readonly fault: QuarantineFault;
  /** The log's id; null if the submitted log has no valid log_id. */
  readonly log_id: string | null;
  /** The place of the error and the broken rule, never a value. */
  readonly reason: string;
  readonly at: string;
  /** The sub of the caller that posted the log; null for a quarantined row. */
  readonly submitted_by: string | null;
  /** An HMAC of the content as it was received. */
  readonly content_hash: string;
  /**
   * The redacted content, or a reference to it; empty if the content was too long for the gate, or the gate could not
   * scan it (SPEC P2, P3).
   */
  readonly content: JsonObject;
};

export type QuarantineEvent = { readonly type: 'log_quarantined'; readonly data: Quarantined };
type QuarantineCommand = { readonly type: 'quarantine' } & Quarantined;

interface QuarantineState {
  readonly quarantined: Quarantined | null;
}

export const quarantineSchemas: Readonly<Record<QuarantineEvent['type'], EventSchema>> = {
  log_quarantined: input,
};

/** The decider of `quarantine-<id>`: one invalid log or row, kept for people to examine (SPEC L5). */
export const quarantineDecider: Decider<QuarantineState, QuarantineCommand, QuarantineEvent> = {
  category: 'quarantine',
  schemas: quarantineSchemas,
  initialState: () => ({ quarantined: null }),
  evolve: (_, { data }) => ({ quarantined: data }),
  decide: ({ type: _, ...data }, { quarantined }) =>
    quarantined === null ? [{ type: 'log_quarantined', data }] : [],
  commandOf: ({ data }) => ({ type: 'quarantine', ...data }),
};
