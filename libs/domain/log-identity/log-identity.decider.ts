import type { Decider } from '../decider.js';
import {
  type LogIdentified,
  type LogIdentityEvent,
  logIdentitySchemas,
  type WrappedNamingKey,
} from './events.js';

export interface LogIdentityState {
  /** The log's id; null before the first start on this log. */
  readonly log_id: string | null;
  /** The naming key in its latest wrapping; absent until the log has one. */
  readonly naming_key?: WrappedNamingKey;
}

export type LogIdentityCommand =
  | ({ readonly type: 'identify_log' } & LogIdentified)
  | ({ readonly type: 'make_naming_key' } & WrappedNamingKey)
  | ({ readonly type: 'rewrap_naming_key' } & WrappedNamingKey);

function evolve(state: LogIdentityState, event: LogIdentityEvent): LogIdentityState {
  return event.type === 'log_identified'
    ? { ...state, log_id: event.data.log_id }
    : { ...state, naming_key: event.data };
}

function decide(
  command: LogIdentityCommand,
  { log_id, naming_key }: LogIdentityState,
): readonly LogIdentityEvent[] {
  if (command.type === 'identify_log')
    return log_id === null ? [{ type: 'log_identified', data: { log_id: command.log_id } }] : [];
  const { type, ...data } = command;
  // The log's id is the first event of the stream.
  if (type === 'make_naming_key')
    return log_id === null || naming_key !== undefined ? [] : [{ type: 'naming_key_made', data }];
  // The key itself never changes: every stream name depends on it.
  if (naming_key?.key_digest !== data.key_digest) return [];
  return naming_key.wrapped_by === data.wrapped_by ? [] : [{ type: 'naming_key_rewrapped', data }];
}

function commandOf(event: LogIdentityEvent): LogIdentityCommand {
  switch (event.type) {
    case 'log_identified':
      return { type: 'identify_log', ...event.data };
    case 'naming_key_made':
      return { type: 'make_naming_key', ...event.data };
    case 'naming_key_rewrapped':
      return { type: 'rewrap_naming_key', ...event.data };
  }
}

/** The decider of `log-identity`. A log keeps its first id and its first naming key. */
export const logIdentityDecider: Decider<LogIdentityState, LogIdentityCommand, LogIdentityEvent> = {
  category: 'log',
  schemas: logIdentitySchemas,
  initialState: () => ({ log_id: null }),
  evolve,
  decide,
  commandOf,
  resultOf: () => null,
};
