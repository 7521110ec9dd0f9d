import { type EventSchema, input } from '../decider.js';

/** The events of `audit-<first 16 hex of sha256(sub)>` (SPEC I1). */
export type AuditEvent =
  | { readonly type: 'command_refused'; readonly data: CommandRefused }
  /** In the stream of `system`: a read model held more than one value for a fact (004 F2). */
  | { readonly type: 'data_integrity_warning'; readonly data: DataIntegrityWarning };

export type CommandRefused = {
  readonly code: string;
  /** HTTP method and route pattern, without ids. */
  readonly route: string;
  /** The stream that the command would have written; null if unknown. */
  readonly stream: string | null;
  /** How many refusals before this one were counted but not recorded (over 60 per minute). */
  readonly uncounted_before: number;
};

export type DataIntegrityWarning = {
  readonly read_model: string;
  /** The stream of the fact. */
  readonly stream: string;
  /** The number of values found. */
  readonly values: number;
  /** The timestamp of the value that the read returned: the latest timestamp. */
  readonly taken_timestamp: string | null;
};

export const auditSchemas: Readonly<Record<AuditEvent['type'], EventSchema>> = {
  command_refused: input,
  data_integrity_warning: input,
};
