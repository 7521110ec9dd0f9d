import { canonicalJson } from '../determinism/canonical-json.js';
import type { Json } from '../json.js';
import type { EventMetadata, RecordedEvent } from '../recorded-event.js';

/** The first line of a bundle (SPEC X4). */
export type BundleHeader = {
  readonly stream: string;
  /** How many events follow. */
  readonly event_count: number;
  /** The hash of the last event; 64 zeros without events. */
  readonly head_hash: string;
};

/** The first line, without its line feed. */
export const bundleHeaderLine = ({ stream, event_count, head_hash }: BundleHeader): string =>
  canonicalJson({ stream, event_count, head_hash });

/** An event's line, without its line feed: the JCS of the hashed fields and the hash. */
export const bundleLine = ({ stream, number, type, data, metadata }: RecordedEvent): string =>
  canonicalJson({ stream, number, type, data, metadata });

/** The lines of a bundle. `events` are the stream's events, from the first to the one of `head_hash`. */
export async function* bundleLines(
  header: BundleHeader,
  events: Iterable<RecordedEvent> | AsyncIterable<RecordedEvent>,
): AsyncGenerator<string> {
  yield bundleHeaderLine(header);
  for await (const event of events) yield bundleLine(event);
}

/** A line's value, and whether the line is its byte-exact JCS; undefined if the line is not JSON. */
export function parseLine(line: string): { value: Json; exact: boolean } | undefined {
  try {
    const value = JSON.parse(line) as Json;
    return { value, exact: canonicalJson(value) === line };
  } catch {
    return undefined;
  }
}

const isObject = (value: Json | undefined): value is { readonly [key: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const hasKeys = (value: Json, keys: string): value is { readonly [key: string]: Json } =>
  isObject(value) && Object.keys(value).sort().join() === keys;

const isIndex = (value: Json | undefined): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;

export const isHeader = (value: Json): value is BundleHeader =>
  hasKeys(value, 'event_count,head_hash,stream') &&
  typeof value.stream === 'string' &&
  typeof value.head_hash === 'string' &&
  isIndex(value.event_count);

/** The event number that a line claims, or undefined. */
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
