import { canonicalJson } from '../determinism/canonical-json.js';
import type { Json } from '../json.js';
import type { EventMetadata, RecordedEvent } from '../recorded-event.js';

/** The unsigned fields of a bundle's first line (SPEC X4). Releases without signatures wrote only these. */
export type UnsignedHeader = {
  readonly stream: string;
  /** The number of events that follow. */
  readonly event_count: number;
  /** The hash of the last event; 64 zeros if there are no events. */
  readonly head_hash: string;
};

/** The first line of a bundle. The signature covers the canonical JSON of all other fields. */
export type SignedHeader = UnsignedHeader & {
  /** True if the stream has its last event, so that no later event can be missing. */
  readonly ended: boolean;
  /** The thumbprint of the public key (RFC 7638). */
  readonly key_id: string;
  /** The public key, as the field `x` of its JWK. */
  readonly public_key: string;
  /** An Ed25519 signature as 128 hex digits. */
  readonly signature: string;
};

export type BundleHeader = UnsignedHeader | SignedHeader;

export const isSigned = (header: BundleHeader): header is SignedHeader => 'signature' in header;

export const bundleHeaderLine = (header: BundleHeader): string => canonicalJson(header);

/** Returns the line of an event, without its line feed: the canonical JSON of the hashed fields and the hash. */
export const bundleLine = ({ stream, number, type, data, metadata }: RecordedEvent): string =>
  canonicalJson({ stream, number, type, data, metadata });

/** Yields the lines of a bundle. `events` are the stream's events, from the first one to the one with `head_hash`. */
export async function* bundleLines(
  header: BundleHeader,
  events: Iterable<RecordedEvent> | AsyncIterable<RecordedEvent>,
): AsyncGenerator<string> {
  yield bundleHeaderLine(header);
  for await (const event of events) yield bundleLine(event);
}

/**
 * Returns the value of a line, and whether the line is the canonical JSON of that value, byte for byte;
 * undefined if the line is not JSON.
 */
export function parseLine(line: string): { value: Json; exact: boolean } | undefined {
  try {
    const value = JSON.parse(line) as Json;
    return { value, exact: canonicalJson(value) === line };
  } catch {
    return undefined;
  }
}

export const isObject = (value: Json | undefined): value is { readonly [key: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const hasKeys = (value: Json, keys: string): value is { readonly [key: string]: Json } =>
  isObject(value) && Object.keys(value).sort().join() === keys;

const isIndex = (value: Json | undefined): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;

const statesStream = (value: { readonly [key: string]: Json }): boolean =>
  typeof value.stream === 'string' &&
  typeof value.head_hash === 'string' &&
  isIndex(value.event_count);

const statesSigner = (value: { readonly [key: string]: Json }): boolean =>
  typeof value.ended === 'boolean' &&
  typeof value.key_id === 'string' &&
  typeof value.public_key === 'string' &&
  typeof value.signature === 'string';

const UNSIGNED_KEYS = 'event_count,head_hash,stream';
const SIGNED_KEYS = 'ended,event_count,head_hash,key_id,public_key,signature,stream';

export const isHeader = (value: Json): value is BundleHeader =>
  (hasKeys(value, UNSIGNED_KEYS) && statesStream(value)) ||
  (hasKeys(value, SIGNED_KEYS) && statesStream(value) && statesSigner(value));

/** Returns the event number in a line, or undefined. */
export const claimedNumber = (value: Json | undefined): number | undefined =>
  isObject(value) && isIndex(value.number) ? value.number : undefined;

const isMetadata = (value: Json | undefined): boolean =>
  isObject(value) &&
  (['event_id', 'seeded_ts', 'hash'] as const satisfies (keyof EventMetadata)[]).every(
    (name) => typeof value[name] === 'string',
  );

export const isEventLine = (value: Json): value is Json & RecordedEvent =>
  hasKeys(value, 'data,metadata,number,stream,type') &&
  typeof value.stream === 'string' &&
  typeof value.type === 'string' &&
  isIndex(value.number) &&
  isObject(value.data) &&
  isMetadata(value.metadata);
