import { pathPart } from './arguments.js';
import type { Schemas } from './schemas.js';
import type { CallOptions, Transport, WriteOptions } from './transport.js';

/** The progress of a read model. */
export type ProjectionStatus = Schemas['ProjectionDto'];

/** The read models. Auditors may list them; the rest is for admins. */
export class Projections {
  constructor(private readonly transport: Transport) {}

  list(options?: CallOptions): Promise<Schemas['ProjectionsDto']> {
    return this.transport.get('/v1/projections', {}, options);
  }

  /** Rebuilds a read model beside the live one, then swaps the two. Queries keep working meanwhile. */
  rebuild(name: string, options?: WriteOptions): Promise<Schemas['RebuildDto']> {
    return this.transport.post(
      `/v1/projections/${pathPart('name', name)}/rebuild`,
      undefined,
      options,
    );
  }
}
