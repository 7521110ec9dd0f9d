import type { RowFault } from '#domain/reflective-log/events.js';

/**
 * The fault of a row. `tampered`: it differs from the event log; `missing`: it does not exist;
 * `forged`: no event made it. These three are quarantined and restored. `unverifiable`: this service
 * does not have the signing key. `broken`: the event itself does not fit its hash chain.
 */
export type LogFault = RowFault | 'forged' | 'unverifiable' | 'broken';

export interface LogFinding {
  readonly log_id: string;
  readonly fault: LogFault;
  readonly reason: string;
  readonly quarantine_id: string | null;
  /** True if the row was restored from the event log. */
  readonly healed: boolean;
}
