import type { Schemas } from './schemas.js';
import type { CallOptions, Transport, WriteOptions } from './transport.js';

/** How far a read model is. */
export type ProjectionStatus = Schemas['ProjectionDto'];

/** The read models. Admins. */
export class Projections {
  constructor(private readonly transport: Transport) {}

  list(options?: CallOptions): Promise<Schemas['ProjectionsDto']> {
    return this.transport.json({ method: 'GET', path: '/v1/projections', options });
  }

  /** Fills a read model anew beside the live one, then swaps; queries go on meanwhile. */
  rebuild(name: string, options?: WriteOptions): Promise<Schemas['RebuildDto']> {
    const path = `/v1/projections/${encodeURIComponent(name)}/rebuild`;
    return this.transport.json({ method: 'POST', path, options });
  }
}
