import type { Decider, DomainEvent, EventSchema } from '#domain/decider.js';
import { canonicalJson, canonicalJsonWithout } from '#domain/determinism/canonical-json.js';
import { CHAIN_START, chainHash, linkHash } from '#domain/determinism/hash-chain.js';
import { appendedId, eventId } from '#domain/determinism/ids.js';
import { seededBase, seededTimestamp } from '#domain/determinism/seeded-clock.js';
import { Refusal } from '#domain/errors/refusal.js';
import type { Json, JsonObject } from '#domain/json.js';
import type { CommandIdentity, EventMetadata, RecordedEvent } from '#domain/recorded-event.js';
import type { EventJson, EventToAppend, LoggedEvent } from './event-store.js';

type Schemas = Readonly<Record<string, EventSchema>>;

/** The last event of a stream, to which the next event is chained. */
export interface Head {
  readonly stream: string;
  /** The number of the last event; -1 if the stream is empty. */
  readonly number: number;
  readonly hash: string;
  /** The base of the stream's seeded time, in milliseconds (SPEC I3). */
  readonly base: number;
}

/** The command that caused an event, and the time of its first attempt (wall clock, ISO 8601 UTC). */
export interface Origin {
  readonly identity: CommandIdentity;
  readonly commandIndex: number;
  readonly recordedAt: string;
}

/** Returns the base of a stream's seeded time, which its first event determines (SPEC I3). */
export function baseOf<State, Command, Event extends DomainEvent>(
  decider: Decider<State, Command, Event>,
  stream: string,
  first: Event,
): number {
  const { seed, epoch } = decider.seedOf?.(stream, first) ?? { seed: stream };
  return seededBase(seed, epoch);
}

export interface EncodedEvent extends EventToAppend {
  readonly json: EventJson;
}

/**
 * Encodes a decided event for the log: its ids, its seeded time, and its link in the hash chain (SPEC
 * I4, I6, I7).
 */
export function encode(
  schemas: Schemas,
  head: Head,
  event: DomainEvent,
  { identity, commandIndex, recordedAt }: Origin,
): EncodedEvent {
  const schema = schemaOf(schemas, event.type);
  if (schema === undefined) throw new Error(`${event.type} has no schema`);
  const { stream, base } = head;
  const { actor, body_hash, command_id, trace_id, evidence } = identity;
  const number = head.number + 1;
  const { type, data } = event;
  const event_id = eventId(stream, number, type);
  const metadata: Draft = {
    actor,
    body_hash,
    command_id,
    command_index: commandIndex,
    event_id,
    kind: schema.kind,
    recorded_at: recordedAt,
    schema_version: schema.version,
    seeded_ts: seededTimestamp(base, number),
    trace_id,
    hash: '',
  };
  const dataText = canonicalJson(data);
  const covered =
    evidence === undefined
      ? textOf(metadata)
      : canonicalJsonWithout({ ...evidence, ...metadata }, 'hash');
  metadata.hash = linkHash(head.hash, {
    stream,
    number,
    type,
    event_id,
    data: dataText,
    metadata: covered,
  });
  return {
    id: appendedId(event_id, command_id),
    type,
    data,
    metadata: evidence === undefined ? metadata : { ...evidence, ...metadata },
    json: { data: dataText, metadata: `${covered.slice(0, -1)},"hash":"${metadata.hash}"}` },
  };
}

type Draft = { -readonly [Name in OwnName]: EventMetadata[Name] };

/**
 * Returns the canonical text of metadata without evidence and hash. This is the usual form, because few
 * events have evidence.
 */
const textOf = (metadata: Draft): string =>
  `{"actor":${canonicalJson(metadata.actor)},"body_hash":${canonicalJson(metadata.body_hash)}` +
  `,"command_id":${canonicalJson(metadata.command_id)},"command_index":${metadata.command_index}` +
  `,"event_id":"${metadata.event_id}","kind":"${metadata.kind}"` +
  `,"recorded_at":"${metadata.recorded_at}","schema_version":${metadata.schema_version}` +
  `,"seeded_ts":"${metadata.seeded_ts}","trace_id":${canonicalJson(metadata.trace_id)}}`;

/** Returns the schema of an event type. With `Object.hasOwn`, an event type named `constructor` is unknown. */
const schemaOf = (schemas: Schemas, type: string): EventSchema | undefined =>
  Object.hasOwn(schemas, type) ? schemas[type] : undefined;

/**
 * Checks that a stored event is the next one of its stream and that its hash is right (SPEC I6). @throws
 * Refusal INTEGRITY_FAILURE.
 */
export function verifyLink(
  previous: { number: number; hash: string },
  stored: RecordedEvent & Pick<LoggedEvent, 'json'>,
): void {
  const { stream, number } = stored;
  const broken = (reason: string): Refusal =>
    new Refusal('INTEGRITY_FAILURE', { stream, number, reason });
  if (number !== previous.number + 1) throw broken(`event ${previous.number + 1} is missing`);
  if (textHash(previous.hash, stored) === stored.metadata.hash) return;
  if (chainHash(previous.hash, stored) !== stored.metadata.hash) {
    throw broken('its hash is not that of its content and its predecessor');
  }
}

/**
 * Returns the hash of an event from its stored texts, which are canonical if this codec has written them. It
 * takes a third of the time of `chainHash`. Returns undefined without texts, or if they have another form.
 */
function textHash(
  prev: string,
  { stream, number, type, metadata, json }: RecordedEvent & Pick<LoggedEvent, 'json'>,
): string | undefined {
  const end = `,"hash":"${metadata.hash}"}`;
  if (json === undefined || !json.metadata.endsWith(end)) return undefined;
  return linkHash(prev, {
    stream,
    number,
    type,
    event_id: metadata.event_id,
    data: json.data,
    metadata: `${json.metadata.slice(0, -end.length)}}`,
  });
}

/** The value for `verifyLink` before a stream's first event. */
export const BEFORE_FIRST = { number: -1, hash: CHAIN_START } as const;

const OWN_NAMES = [
  'event_id',
  'seeded_ts',
  'recorded_at',
  'schema_version',
  'kind',
  'command_id',
  'command_index',
  'body_hash',
  'actor',
  'trace_id',
  'hash',
] as const;

type OwnName = (typeof OWN_NAMES)[number];

const OWN_METADATA: ReadonlySet<string> = new Set(OWN_NAMES);

export function identityOf(metadata: EventMetadata): CommandIdentity {
  const { command_id, body_hash, actor, trace_id } = metadata;
  const more = Object.entries(metadata).filter(([name]) => !OWN_METADATA.has(name));
  const identity = { command_id, body_hash, actor, trace_id };
  if (more.length === 0) return identity;
  return { ...identity, evidence: Object.fromEntries(more) as JsonObject };
}

/** Estimates the number of characters of a value; the estimate is at least five sixths of the bytes of its JSON. */
export function roughSize(value: Json | undefined): number {
  if (typeof value === 'string') return value.length + 2;
  if (value === null || typeof value !== 'object') return 8;
  let size = 2;
  if (Array.isArray(value)) {
    for (const item of value as readonly Json[]) size += roughSize(item) + 1;
    return size;
  }
  for (const [key, item] of Object.entries(value)) size += key.length + 4 + roughSize(item);
  return size;
}

const PER_EVENT = 100;

/** Estimates the size of an event on the wire in bytes, rounded up. */
export const sizeOf = ({ json }: EncodedEvent): number =>
  Buffer.byteLength(json.data) + Buffer.byteLength(json.metadata) + PER_EVENT;
