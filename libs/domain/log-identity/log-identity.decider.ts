import type { Decider } from '../decider.js';
import { type LogIdentified, type LogIdentityEvent, logIdentitySchemas } from './events.js';

/** The stream with the log's id, which no other log has. */
export const LOG_IDENTITY_STREAM = 'log-identity';

interface LogIdentityState {
  /** The log's id; null before the first start on this log. */
  readonly log_id: string | null;
}

type IdentifyLog = { readonly type: 'identify_log' } & LogIdentified;

/** The decider of `log-identity`. A log that has an id keeps it. */
export const logIdentityDecider: Decider<LogIdentityState, IdentifyLog, LogIdentityEvent> = {
  category: 'log',
  schemas: logIdentitySchemas,
  initialState: () => ({ log_id: null }),
  evolve: (_, { data: { log_id } }) => ({ log_id }),
  decide: ({ log_id }, state) =>
    state.log_id === null ? [{ type: 'log_identified', data: { log_id } }] : [],
  commandOf: ({ data: { log_id } }) => ({ type: 'identify_log', log_id }),
  resultOf: () => null,
};
