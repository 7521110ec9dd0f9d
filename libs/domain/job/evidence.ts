import { canonicalSize } from '../determinism/canonical-json.js';
import type { JsonObject } from '../json.js';
import type { MemoryRead } from './events.js';

/**
 * The maximum size, in bytes of canonical JSON, of the reads in a job's ReflectiveLog. Reads beyond this
 * size are only counted (SPEC J10, L1).
 */
const EVIDENCE_BYTES = 128 * 1024;

interface ReadNode {
  readonly read: JsonObject;
  readonly previous: ReadNode | undefined;
}

/** The reads of a job as its ReflectiveLog shows them, as a linked list from the last read to the first. */
export interface Evidence {
  readonly last: ReadNode | undefined;
  readonly bytes: number;
  /** The number of reads beyond the size limit. */
  readonly omitted: number;
}

export const NO_EVIDENCE: Evidence = { last: undefined, bytes: 0, omitted: 0 };

/** Adds one read. The cost does not grow with the number of reads. */
export function withRead(evidence: Evidence, data: MemoryRead, event_number: number): Evidence {
  const read: JsonObject = { event_number, ...data };
  const bytes = evidence.bytes + canonicalSize(read);
  if (evidence.omitted > 0 || bytes > EVIDENCE_BYTES)
    return { ...evidence, omitted: evidence.omitted + 1 };
  return { last: { read, previous: evidence.last }, bytes, omitted: 0 };
}

/** Returns the reads in order. If reads were omitted, a last entry gives their number and names the job's stream. */
export function readsOf({ last, omitted }: Evidence, stream: string): JsonObject[] {
  const reads: JsonObject[] = [];
  for (let node = last; node !== undefined; node = node.previous) reads.push(node.read);
  reads.reverse();
  return omitted === 0 ? reads : [...reads, { omitted_reads: omitted, stream }];
}
