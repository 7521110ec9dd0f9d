import { bodyOf, pathPart, requireArguments } from './arguments.js';
import type { QueryOf, Schemas } from './schemas.js';
import type { ReadOptions, Transport, WriteOptions } from './transport.js';

/** Two titles that generate the same key; the second one got another key. */
export type Collision = Schemas['CollisionDto'];

/** Collisions of titles, for the council's review. */
export class Collisions {
  constructor(private readonly transport: Transport) {}

  /** Returns one page of collisions, the oldest first; the open ones by default. */
  list(
    filter: QueryOf<'/v1/collisions'> = {},
    options?: ReadOptions,
  ): Promise<Schemas['CollisionsPageDto']> {
    return this.transport.get(
      '/v1/collisions',
      bodyOf('filter?', filter, 'GET /v1/collisions'),
      options,
    );
  }

  /** Closes a collision. Fails with VERSION_CONFLICT if it is closed already. */
  close(collisionId: string, reason: string, options?: WriteOptions): Promise<Collision> {
    requireArguments({ reason }, { reason: 'text' });
    return this.transport.post(
      `/v1/collisions/${pathPart('collisionId', collisionId)}/closure`,
      { reason },
      options,
    );
  }
}
