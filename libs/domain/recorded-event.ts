import type { DomainEvent, EventKind } from './decider.js';
import type { Json, JsonObject } from './json.js';

/** The caller: the subject, the roles and the optional user of the verified token. */
export interface Actor {
  readonly sub: string;
  readonly roles: readonly string[];
  readonly user_id?: string;
}

/** The metadata of an event. Values that differ between runs belong here, never in the data (SPEC X1). */
export interface EventMetadata {
  /** The seeded id, uuidv5([stream, number, type]) (SPEC I4). */
  readonly event_id: string;
  readonly seeded_ts: string;
  /** The wall-clock time of the append, ISO 8601 UTC. It is evidence that the domain never reads (SPEC I3). */
  readonly recorded_at: string;
  readonly schema_version: number;
  readonly kind: EventKind;
  readonly command_id: string;
  /** The index of the command in its batch, from 0. */
  readonly command_index: number;
  /** The HMAC of the command's body (SPEC I7). */
  readonly body_hash: string;
  readonly actor: string;
  readonly trace_id: string;
  /** Further evidence, such as the id of the event that caused this event. */
  readonly [more: string]: Json | undefined;
  /** The event's hash in the hash chain of its stream (SPEC I6). */
  readonly hash: string;
}

/** An event as it is stored in the log; its `data` is not upcast yet. */
export interface RecordedEvent extends DomainEvent {
  readonly stream: string;
  /** The event's number in its stream, from 0. */
  readonly number: number;
  readonly data: JsonObject;
  readonly metadata: EventMetadata;
}

/** The identity of a command, by which the store recognises a retry (SPEC I7). */
export interface CommandIdentity {
  readonly command_id: string;
  readonly body_hash: string;
  readonly actor: string;
  readonly trace_id: string;
  /** Copied into the metadata of every event of the command, for example `{ caused_by: … }`. */
  readonly evidence?: JsonObject;
  /** True if an append of an earlier attempt at the command may still be on its way to the log, from any process. */
  readonly isSentAgain?: boolean;
}
