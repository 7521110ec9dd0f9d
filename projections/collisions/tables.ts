import { bigint, orNull, text, type RowOf } from '#read-model/columns.js';
import { readTable } from '#read-model/read-table.js';

/** One row for each title that got another key than the one it generated, because another title owns that key (SPEC K4). */
export const COLLISION = readTable('collisions.collision', {
  key: ['collision_id'],
  columns: {
    /** The id of the event that recorded the collision. */
    collision_id: text(),
    /** Commit position of the collision's event: the order of lists, and their cursor. */
    position: bigint(),
    /** The key that both titles generate; the first title owns it. */
    contested_key: text(),
    /** The key that the second title got. */
    given_key: text(),
    /** The second title, as titles are compared. */
    title: text(),
    found_at: text(),
    closed_at: orNull(text()),
    closed_by_sub: orNull(text()),
    closed_by_user_id: orNull(text()),
    reason: orNull(text()),
  },
  unique: [['position'], ['contested_key', 'given_key']],
  indexes: {
    collision_open: '(position) where closed_at is null',
  },
});
/** A row of the table `collision`. */
export type StoredCollision = RowOf<typeof COLLISION>;
