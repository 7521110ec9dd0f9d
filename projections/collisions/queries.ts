import { Injectable } from '@nestjs/common';
import { type NamedQuery, Postgres } from '#read-model/postgres.js';
import type { StoredCollision } from './collisions.projection.js';

export type CollisionStatus = 'open' | 'closed';

const GET: NamedQuery = {
  name: 'collisions_get',
  text: 'select * from collisions.collision where collision_id = $1',
};

const LIST: NamedQuery = {
  name: 'collisions_list',
  text: `select * from collisions.collision
    where (closed_at is null) = ($1 = 'open') and ($2::bigint is null or position > $2)
    order by position limit $3`,
};

/** Reads the collisions of titles. All methods fail with `PostgresUnavailable` while Postgres cannot answer. */
@Injectable()
export class CollisionQueries {
  constructor(private readonly postgres: Postgres) {}

  async get(collisionId: string): Promise<StoredCollision | undefined> {
    return (await this.postgres.query<StoredCollision>(GET, [collisionId]))[0];
  }

  /**
   * Returns a page of collisions, the oldest first.
   * @param after the `position` of the last row of the previous page
   */
  list(
    status: CollisionStatus,
    after: string | undefined,
    limit: number,
  ): Promise<StoredCollision[]> {
    return this.postgres.query<StoredCollision>(LIST, [status, after ?? null, limit]);
  }
}
