import type { EventMetadata, RecordedEvent } from '../recorded-event.js';
import { canonicalJson, canonicalJsonWithout } from './canonical-json.js';
import { sha256Hex } from './hash.js';

/** `prev` of a stream's first event. */
export const CHAIN_START = '0'.repeat(64);

/** Everything that the hash covers, beside the previous hash (SPEC I6). */
export type Chained = Omit<RecordedEvent, 'metadata'> & {
  readonly metadata: Omit<EventMetadata, 'hash'>;
};

/**
 * The hash that ties an event to its stream's past (SPEC I6):
 * sha256(JCS({prev, stream, number, event_id, type, data, metadata})), metadata without its own hash.
 * The text is put together from its parts, in the order of their keys; `dataText` and `metadataText` are the
 * canonical texts of the data and of the metadata without its hash, for whoever has them already.
 */
export function chainHash(
  prev: string,
  { stream, number, type, data, metadata }: Chained,
  dataText: string = canonicalJson(data),
  metadataText: string = canonicalJsonWithout(metadata, 'hash'),
): string {
  return sha256Hex(
    `{"data":${dataText},"event_id":${canonicalJson(metadata.event_id)}` +
      `,"metadata":${metadataText},"number":${number}` +
      `,"prev":"${prev}","stream":${canonicalJson(stream)},"type":${canonicalJson(type)}}`,
  );
}
