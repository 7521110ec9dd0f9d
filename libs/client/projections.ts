import type { JsonObject } from './json.js';
import type { CallOptions, Transport, WriteOptions } from './transport.js';

/** How far a read model is. */
export interface ProjectionStatus {
  readonly name: string;
  /** A decimal position in the log, or null before the first event. */
  readonly position: string | null;
  /** A new one is being filled beside it. */
  readonly rebuilding: boolean;
  /** The event that it cannot take, if there is one: it has stopped there. */
  readonly stopped: JsonObject | null;
  /** Seconds since whoever projects it was last seen at work. */
  readonly heartbeat_seconds_ago: number | null;
}

/** The read models. Admins. */
export class Projections {
  constructor(private readonly transport: Transport) {}

  list(options?: CallOptions): Promise<{ readonly projections: readonly ProjectionStatus[] }> {
    return this.transport.json({ method: 'GET', path: '/v1/projections', options });
  }

  /** Fills a read model anew beside the live one, then swaps; queries go on meanwhile. */
  rebuild(
    name: string,
    options?: WriteOptions,
  ): Promise<{ readonly name: string; readonly rebuilding: true }> {
    const path = `/v1/projections/${encodeURIComponent(name)}/rebuild`;
    return this.transport.json({ method: 'POST', path, options });
  }
}
