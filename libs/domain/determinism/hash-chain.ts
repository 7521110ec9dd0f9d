import { createHash } from 'node:crypto';
import type { EventMetadata, RecordedEvent } from '../recorded-event.js';
import { canonicalJson } from './canonical-json.js';

/** `prev` of a stream's first event. */
export const CHAIN_START = '0'.repeat(64);

/** Everything that the hash covers, beside the previous hash (SPEC I6). */
export type Chained = Omit<RecordedEvent, 'metadata'> & {
  readonly metadata: Omit<EventMetadata, 'hash'>;
};

/**
 * The hash that ties an event to its stream's past (SPEC I6):
 * sha256(JCS({prev, stream, number, event_id, type, data, metadata})), metadata without its own hash.
 */
export function chainHash(prev: string, event: Chained): string {
  const { hash: _own, ...metadata } = event.metadata as EventMetadata;
  const { stream, number, type, data } = event;
  return createHash('sha256')
    .update(
      canonicalJson({ prev, stream, number, event_id: metadata.event_id, type, data, metadata }),
    )
    .digest('hex');
}
