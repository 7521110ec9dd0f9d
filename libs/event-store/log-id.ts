import { randomUUID } from 'node:crypto';
import { hashJson } from '#domain/determinism/hash.js';
import { Refusal } from '#domain/errors/refusal.js';
import { logIdentityDecider } from '#domain/log-identity/log-identity.decider.js';
import type { LogIdentified } from '#domain/log-identity/events.js';
import { LOG_IDENTITY_STREAM } from '#domain/stream-names.js';
import { AggregateStore } from './aggregate-store.js';
import type { EventStore } from './event-store.js';

/** Returns the log's id; undefined if it has none. Fails with `EventStoreUnavailable`. */
export async function logIdOf(store: EventStore): Promise<string | undefined> {
  let id: string | undefined;
  for await (const { data } of store.readStream(LOG_IDENTITY_STREAM, { from: 0, limit: 1 }))
    id = (data as LogIdentified).log_id;
  return id;
}

/** The id of a log after a start. */
export interface LogId {
  /** Undefined if the log has none and accepts no event, for example because it is full. */
  readonly id: string | undefined;
  /** True if this call has given the log its id. */
  readonly isNew: boolean;
}

/**
 * Returns the log's id. A log without one, which is new or from a release that gave none, gets a random id.
 * Fails with `EventStoreUnavailable`.
 */
export async function identifyLog(store: EventStore): Promise<LogId> {
  const known = await logIdOf(store);
  if (known !== undefined) return { id: known, isNew: false };
  const log = new AggregateStore(store, logIdentityDecider, { writeFailure: 'MEMORY_WRITE_FAIL' });
  const log_id = randomUUID();
  const identity = {
    command_id: randomUUID(),
    body_hash: hashJson(log_id),
    actor: 'system',
    trace_id: 'start',
  };
  try {
    await log.execute(LOG_IDENTITY_STREAM, [{ type: 'identify_log', log_id }], identity);
  } catch (cause) {
    if (!(cause instanceof Refusal)) throw cause;
  }
  const id = await logIdOf(store);
  return { id, isNew: id === log_id };
}
