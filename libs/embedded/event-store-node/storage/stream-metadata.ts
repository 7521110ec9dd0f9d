import { invalid, unimplemented } from '../protocol/status.js';
import { type ProposedEvent } from './record.js';

/** The metadata of stream `s` is in the stream `$$s`. */
export const METADATA_PREFIX = '$$';

/** The parts of a stream's metadata that this node supports. */
export interface StreamRules {
  readonly keptFrom: number;
  readonly maxCount: number;
}

const REFUSED = ['$maxAge', '$acl', '$cacheControl'];
/** EventStoreDB writes a deleted stream's `$tb` as the largest signed 64-bit number. */
const DELETED_FROM = '9223372036854775807';

/**
 * Reads the rules from a metadata event's JSON. Unsupported settings and malformed JSON are ignored, or, with
 * `refuse`, throw `Refused`.
 */
export function parseRules(data: Buffer, options: { refuse: boolean }): StreamRules {
  const metadata = parseObject(data, options.refuse);
  if (options.refuse) {
    const name = REFUSED.find((property) => property in metadata);
    if (name !== undefined) throw unimplemented(`The stream metadata ${name}`);
  }
  return {
    keptFrom: naturalOr(metadata['$tb'], 0, options.refuse),
    maxCount: naturalOr(metadata['$maxCount'], Infinity, options.refuse),
  };
}

function parseObject(data: Buffer, refuse: boolean): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(data.length === 0 ? '{}' : data.toString('utf8'));
    if (typeof parsed === 'object' && parsed !== null) return { ...parsed };
  } catch {
    // Handled below, like every other value that is not an object.
  }
  if (refuse) throw invalid('Stream metadata must be a JSON object');
  return {};
}

function naturalOr(value: unknown, absent: number, refuse: boolean): number {
  if (value === undefined || value === null) return absent;
  if (typeof value !== 'number' || value < 0 || !Number.isInteger(value)) {
    if (refuse) throw invalid('$tb and $maxCount must be natural numbers');
    return absent;
  }
  return value > Number.MAX_SAFE_INTEGER ? Infinity : value;
}

/**
 * Builds the metadata event that hides a stream's events before `keptFrom`, and keeps the other settings;
 * Infinity deletes the stream.
 */
export function truncation(id: string, previous: Buffer, keptFrom: number): ProposedEvent {
  const { $tb: _, ...rest } = parseObject(previous, false);
  const others = JSON.stringify(rest).slice(1, -1);
  const from = keptFrom === Infinity ? DELETED_FROM : String(keptFrom);
  return {
    id,
    type: Buffer.from('$metadata'),
    isJson: true,
    metadata: Buffer.alloc(0),
    data: Buffer.from(`{"$tb":${from}${others === '' ? '' : `,${others}`}}`),
  };
}
