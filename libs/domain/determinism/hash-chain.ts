import type { Json } from '../json.js';
import type { EventMetadata, RecordedEvent } from '../recorded-event.js';
import { canonicalJson, canonicalJsonWithout } from './canonical-json.js';
import { sha256Hex } from './hash.js';

/** The `prev` in the hash of a stream's first event. */
export const CHAIN_START = '0'.repeat(64);

/** The parts of an event that its hash covers, apart from the previous hash (SPEC I6). */
type Chained = Omit<RecordedEvent, 'metadata'> & {
  readonly metadata: Omit<EventMetadata, 'hash'>;
};

/** The hashed parts of an event, with data and metadata as canonical texts. */
interface ChainedTexts extends Pick<RecordedEvent, 'stream' | 'number' | 'type'> {
  readonly event_id: Json | undefined;
  readonly data: string;
  /** The metadata without its field `hash`. */
  readonly metadata: string;
}

/**
 * Returns the hash that links an event to the earlier events of its stream: sha256(JCS({prev, stream,
 * number, event_id, type, data, metadata})), with metadata without its field `hash` (SPEC I6).
 */
export const chainHash = (
  prev: string,
  { stream, number, type, data, metadata }: Chained,
  dataText: string = canonicalJson(data),
): string =>
  linkHash(prev, {
    ...{ stream, number, type, event_id: metadata.event_id },
    data: dataText,
    metadata: canonicalJsonWithout(metadata, 'hash'),
  });

/**
 * Does the same as `chainHash` for a caller that has the canonical texts, by joining them in the order
 * of their keys.
 */
export const linkHash = (prev: string, link: ChainedTexts): string =>
  sha256Hex(
    `{"data":${link.data},"event_id":${canonicalJson(link.event_id)}` +
      `,"metadata":${link.metadata},"number":${link.number}` +
      `,"prev":"${prev}","stream":${canonicalJson(link.stream)},"type":${canonicalJson(link.type)}}`,
  );
