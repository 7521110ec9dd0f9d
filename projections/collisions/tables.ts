import { SealedTable } from '#read-model/sealed-table.js';

/** A row of the `collision` table. */
export interface StoredCollision {
  /** The id of the event that recorded the collision. */
  readonly collision_id: string;
  readonly position: string;
  /** The key that both titles generate; the first title owns it. */
  readonly contested_key: string;
  /** The key that the second title got. */
  readonly given_key: string;
  /** The second title, as titles are compared. */
  readonly title: string;
  readonly found_at: string;
  readonly closed_at: string | null;
  readonly closed_by_sub: string | null;
  readonly closed_by_user_id: string | null;
  readonly reason: string | null;
}

export const COLLISION = new SealedTable<StoredCollision>(
  'collisions.collision',
  ['collision_id'],
  {
    collision_id: 'plain',
    position: 'bigint',
    contested_key: 'plain',
    given_key: 'plain',
    title: 'plain',
    found_at: 'plain',
    closed_at: 'plain',
    closed_by_sub: 'plain',
    closed_by_user_id: 'plain',
    reason: 'plain',
  },
);
