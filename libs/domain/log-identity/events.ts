import { type EventSchema, input } from '../decider.js';

/** The only event of `log-identity`. */
export type LogIdentityEvent = {
  readonly type: 'log_identified';
  readonly data: LogIdentified;
};

export type LogIdentified = {
  /** A random UUID. A copy of the log keeps it. */
  readonly log_id: string;
};

export const logIdentitySchemas: Readonly<Record<LogIdentityEvent['type'], EventSchema>> = {
  log_identified: input,
};
