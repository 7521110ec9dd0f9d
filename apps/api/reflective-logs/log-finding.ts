import type { RowFault } from '#domain/reflective-log/events.js';

/**
 * `tampered`: the row differs from the log; `missing`: the row is gone; `forged`: no event made the row.
 * These three are quarantined and healed. `unverifiable`: this service does not have the signing key.
 * `broken`: the event itself fails its hash chain.
 */
export type LogFault = RowFault | 'forged' | 'unverifiable' | 'broken';

export interface LogFinding {
  readonly log_id: string;
  readonly fault: LogFault;
  readonly reason: string;
  readonly quarantine_id: string | null;
  /** Whether the row was restored from the log. */
  readonly healed: boolean;
}
