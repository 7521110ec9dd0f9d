import { canonicalSize } from '../determinism/canonical-json.js';
import type { JsonObject } from '../json.js';
import type { MemoryRead } from './events.js';

/** Most canonical bytes of reads that a job's log repeats; further ones it counts (SPEC J10, L1). */
const EVIDENCE_BYTES = 128 * 1024;

interface Noted {
  readonly read: JsonObject;
  readonly before: Noted | undefined;
}

/** What a job read for its decisions, as its ReflectiveLog will show it. A list from the last one back. */
export interface Evidence {
  readonly last: Noted | undefined;
  readonly bytes: number;
  /** Reads for which there was no room. */
  readonly omitted: number;
}

export const NO_EVIDENCE: Evidence = { last: undefined, bytes: 0, omitted: 0 };

/** Notes one read; what it costs does not grow with their number. */
export function withRead(evidence: Evidence, data: MemoryRead, event_number: number): Evidence {
  const read: JsonObject = { event_number, ...data };
  const bytes = evidence.bytes + canonicalSize(read);
  if (evidence.omitted > 0 || bytes > EVIDENCE_BYTES)
    return { ...evidence, omitted: evidence.omitted + 1 };
  return { last: { read, before: evidence.last }, bytes, omitted: 0 };
}

/** The reads in their order; what is omitted stands in the stream that the last entry names. */
export function readsOf({ last, omitted }: Evidence, stream: string): JsonObject[] {
  const reads: JsonObject[] = [];
  for (let noted = last; noted !== undefined; noted = noted.before) reads.push(noted.read);
  reads.reverse();
  return omitted === 0 ? reads : [...reads, { omitted_reads: omitted, stream }];
}
