import type { DomainEvent, EventKind } from './decider.js';
import type { Json, JsonObject } from './json.js';

/** Who acts: the verified token's subject, roles and, if it has one, user. */
export interface Actor {
  readonly sub: string;
  readonly roles: readonly string[];
  readonly user_id?: string;
}

/** What stands beside every event's data. Accidents of a run live here, never in the data (SPEC X1). */
export interface EventMetadata {
  /** uuidv5([stream, number, type]) (SPEC I4). */
  readonly event_id: string;
  readonly seeded_ts: string;
  /** The wall clock at the append, ISO 8601 UTC: evidence, never read by the domain (SPEC I3). */
  readonly recorded_at: string;
  readonly schema_version: number;
  readonly kind: EventKind;
  readonly command_id: string;
  /** Which command of a batch, from 0. */
  readonly command_index: number;
  /** HMAC of the command's body (SPEC I7). */
  readonly body_hash: string;
  readonly actor: string;
  readonly trace_id: string;
  /** Any further evidence, such as the id of the event that caused this one. */
  readonly [more: string]: Json | undefined;
  /** The chain of SPEC I6. */
  readonly hash: string;
}

/** An event as the log holds it. `data` is what was stored, before upcasting. */
export interface RecordedEvent extends DomainEvent {
  readonly stream: string;
  /** Its place in the stream, from 0. */
  readonly number: number;
  readonly data: JsonObject;
  readonly metadata: EventMetadata;
}

/** A command's identity (SPEC I7). */
export interface CommandIdentity {
  readonly command_id: string;
  readonly body_hash: string;
  readonly actor: string;
  readonly trace_id: string;
  /** Goes into the metadata of every event of the command, for example `{ caused_by: … }`. */
  readonly evidence?: JsonObject;
}
