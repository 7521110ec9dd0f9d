import { type EventSchema, input } from '../decider.js';

/** Why a place does not keep a checkpoint. */
export const PLACE_PROBLEMS = [
  /** It did not answer, or not in time. */
  'unreachable',
  /** It refused the file, such as for want of a right, or of a bucket with object lock. */
  'refused',
  /** It has another file of this name, which is never overwritten. */
  'other_file',
  'no_room',
] as const;
export type PlaceProblem = (typeof PLACE_PROBLEMS)[number];

/** The events of `checkpoint-<id>`: a signed checkpoint of the log, and the places that keep its file (SPEC I6). */
export type LogCheckpointEvent =
  | { readonly type: 'checkpoint_made'; readonly data: CheckpointMade }
  | { readonly type: 'checkpoint_kept'; readonly data: CheckpointKept }
  | { readonly type: 'checkpoint_not_kept'; readonly data: CheckpointNotKept };

export type CheckpointMade = {
  readonly checkpoint_id: string;
  /** The time before the log was read. */
  readonly created_at: string;
  readonly made_at: string;
  /** The commit position of the last event that the checkpoint covers, in decimal digits. */
  readonly position: string;
  readonly events: number;
  readonly streams: number;
  /** The number of events that failed their check. */
  readonly found: number;
  /** The id of the key that signed it. */
  readonly key_id: string;
  /** The SHA-256 of the file, as hex digits, and the number of its bytes. */
  readonly sha256: string;
  readonly bytes: number;
  /** The places that shall keep the file. */
  readonly places: readonly string[];
};

export type CheckpointKept = {
  readonly place: string;
  readonly at: string;
  /** The time until which the place lets nobody delete the file; null if it has no such lock. */
  readonly locked_until: string | null;
};

export type CheckpointNotKept = {
  readonly place: string;
  readonly at: string;
  readonly problem: PlaceProblem;
};

export const logCheckpointSchemas: Readonly<Record<LogCheckpointEvent['type'], EventSchema>> = {
  checkpoint_made: input,
  checkpoint_kept: input,
  checkpoint_not_kept: input,
};
