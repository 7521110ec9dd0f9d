import { Refusal } from '../errors/refusal.js';
import type { Json } from '../json.js';
import { partsOfSubject, subjectForms } from '../privacy/subject.js';

/** Why data is erased. A legal reason needs no retention period to have passed (SPEC G6). */
export const ERASURE_REASONS = ['legal_erasure', 'retention', 'other'] as const;
export type ErasureReason = (typeof ERASURE_REASONS)[number];

export type ErasureProposal = {
  /** Whose data is erased, as in the key ids of sealed values. */
  readonly subject: string;
  readonly reason_code: ErasureReason;
};

export type ErasureOrdered = {
  readonly ordered_by: string;
  /** The user of the admin's token; null without one. Missing in orders of schema versions 1 and 2. */
  readonly user_id?: string | null;
  /** The wall-clock time of the order, recorded as input. */
  readonly at: string;
  /**
   * The ids of the keys that the order destroys, sorted: those that the subject had then. A later key of the subject
   * is not affected, however often the order is carried out. Missing in orders of schema version 1.
   */
  readonly kids?: readonly string[];
};

/** The record of an erasure: the destroyed keys, and the values that they sealed. */
export type DeletionData = {
  readonly subject: string;
  readonly reason_code: ErasureReason;
  /** The ids of the destroyed keys, sorted; empty if the subject had none. Those of the order, if it names them. */
  readonly kids: readonly string[];
  readonly manifest: ErasureManifest;
  readonly ordered_by: string;
  readonly at: string;
};

/** The values before the order that nobody can open any more. They stay in the log as ciphertext. */
export type ErasureManifest = {
  /** The number of events that contain such values, and of the streams of these events. */
  readonly events: number;
  readonly streams: number;
  /** When the first and the last of them were recorded; null without any. */
  readonly first_recorded_at: string | null;
  readonly last_recorded_at: string | null;
  /** sha256 over the JCS of `[stream, number, event_hash]` of each event and a line feed, in log order. */
  readonly hash: string;
};

const DAY_MS = 86_400_000;

/** Returns when the retention period ends of data that was last recorded at a time (SPEC G6). */
export const retentionEnd = (last_recorded_at: string, days: number): string =>
  new Date(Date.parse(last_recorded_at) + days * DAY_MS).toISOString();

const isObject = (value: Json): value is { readonly [key: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns the proposal in a request's value. @throws Refusal INVALID_INPUT for another value */
export function erasureProposalOf(value: Json): ErasureProposal {
  const { subject, reason_code } = isObject(value) ? value : {};
  const reason = ERASURE_REASONS.find((one) => one === reason_code);
  if (typeof subject !== 'string' || partsOfSubject(subject) === undefined || reason === undefined)
    throw new Refusal('INVALID_INPUT', {
      reason: `an erasure names a subject, ${subjectForms()}, and a reason_code`,
    });
  return { subject, reason_code: reason };
}
