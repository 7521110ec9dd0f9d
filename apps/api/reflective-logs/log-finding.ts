import type { RowFault } from '#domain/reflective-log/events.js';

/**
 * `tampered`, `missing`: the row differs from the log, or is gone; `forged`: no event made it. These three
 * are quarantined and healed. `unverifiable`: signed with a key that this service does not have.
 * `broken`: the event itself fails its chain.
 */
export type LogFault = RowFault | 'forged' | 'unverifiable' | 'broken';

export interface LogFinding {
  readonly log_id: string;
  readonly fault: LogFault;
  readonly reason: string;
  readonly quarantine_id: string | null;
  /** The row is again what the log says. */
  readonly healed: boolean;
}
