import { randomUUID } from 'node:crypto';
import { invalid } from '../protocol/status.js';
import { type ProposedEvent } from './record.js';

/** The metadata of a stream `s` is stored in the stream `$$s`. */
export const METADATA_PREFIX = '$$';

/** Returns the stream whose metadata the stream `name` holds; undefined if it holds no metadata. */
export const describedBy = (name: string): string | undefined =>
  name.startsWith(METADATA_PREFIX) ? name.slice(METADATA_PREFIX.length) : undefined;

/** The settings in a stream's metadata that decide which of its events can be read. */
export interface StreamRules {
  /** The number of the first event that can be read; infinite if the stream was deleted. */
  readonly keptFrom: number;
  readonly maxCount: number;
  /** The age in milliseconds after which an event can no longer be read. */
  readonly maxAge: number;
}

/** EventStoreDB writes a deleted stream's `$tb` as the largest signed 64-bit number. */
const DELETED_FROM = '9223372036854775807';
/**
 * The levels of nesting up to which metadata is accepted, as in EventStoreDB. Metadata that earlier versions
 * stored may be deeper, up to a depth at which it could not be written again.
 */
const MAX_DEPTH = 64;

/**
 * Reads the settings from the JSON of a metadata event. The function ignores other settings and malformed
 * JSON; with `refuse`, it throws `Refused` for malformed JSON.
 */
export function parseRules(data: Buffer, options: { refuse: boolean }): StreamRules {
  const metadata = parseObject(data, options.refuse);
  const naturalOr = (name: string, absent: number): number => {
    const value = metadata[name] ?? absent;
    if (value === absent) return absent;
    if (typeof value === 'number' && value >= 0 && Number.isInteger(value)) {
      return value > Number.MAX_SAFE_INTEGER ? Infinity : value;
    }
    if (options.refuse) throw invalid(`The stream metadata ${name} must be a natural number`);
    return absent;
  };
  return {
    keptFrom: naturalOr('$tb', 0),
    maxCount: naturalOr('$maxCount', Infinity),
    maxAge: naturalOr('$maxAge', Infinity) * 1_000,
  };
}

function parseObject(data: Buffer, refuse: boolean): Record<string, unknown> {
  const parsed = parse(data);
  if (refuse && isDeeperThan(MAX_DEPTH, parsed)) {
    throw invalid(`Stream metadata must not be nested in more than ${MAX_DEPTH} levels`);
  }
  if (typeof parsed === 'object' && parsed !== null) return { ...parsed };
  if (refuse) throw invalid('Stream metadata must be a JSON object');
  return {};
}

function parse(data: Buffer): unknown {
  if (data.length === 0) return {};
  try {
    return JSON.parse(data.toString('utf8'));
  } catch {
    return undefined;
  }
}

const isDeeperThan = (levels: number, value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some((inner) => isDeeperThan(levels - 1, inner)));

const metadataEvent = (data: string): ProposedEvent => ({
  id: randomUUID(),
  type: Buffer.from('$metadata'),
  isJson: true,
  metadata: Buffer.alloc(0),
  data: Buffer.from(data),
});

/** Makes the metadata event that deletes a stream. As in EventStoreDB, it drops all other settings. */
export const deletion = (): ProposedEvent => metadataEvent(`{"$tb":${DELETED_FROM}}`);

/**
 * Makes the metadata event that recreates a deleted stream: its events before `keptFrom` stay hidden, and
 * the other settings stay as they are, unless they are nested too deeply to be written again.
 */
export function recreation(previous: Buffer, keptFrom: number): ProposedEvent {
  const metadata = parseObject(previous, false);
  const others = isDeeperThan(MAX_DEPTH, metadata) ? {} : metadata;
  return metadataEvent(JSON.stringify({ ...others, $tb: keptFrom }));
}
