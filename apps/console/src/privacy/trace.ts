import { randomKey } from '#client/random-key.js';

/** Returns a new trace, by which the events of one request are found. */
export function newTrace(): { readonly traceId: string; readonly traceparent: string } {
  const traceId = randomKey();
  return { traceId, traceparent: `00-${traceId}-${randomKey().slice(16)}-01` };
}
