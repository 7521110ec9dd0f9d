import { semDecider } from '#domain/sem/sem.decider.js';
import type { SemEvent } from '#domain/sem/events.js';
import { keyOfSemStream } from '#domain/stream-names.js';
import { bigint, orNull, type RowWith, text } from '#read-model/columns.js';
import { foldedTable } from '#read-model/folded-table.js';
import type { Logged } from '#read-model/projection.js';
import { Projector } from '#read-model/projector.decorator.js';

type Found = Extract<SemEvent, { type: 'collision_event' }>;
type Closed = Extract<SemEvent, { type: 'collision_closed' }>;

const COLUMNS = {
  /** The id of the event that recorded the collision. */
  collision_id: text(),
  /** Commit position of the collision's event: the order of lists, and their cursor. */
  position: bigint(),
  /** The key that both titles generate; the first title owns it. */
  contested_key: text(),
  given_key: text(),
  /** The second title, as titles are compared. */
  title: text(),
  found_at: text(),
  closed_at: orNull(text()),
  closed_by_sub: orNull(text()),
  closed_by_user_id: orNull(text()),
  reason: orNull(text()),
};
export type StoredCollision = RowWith<typeof COLUMNS>;

/** One row for each title that got another key than the one it generated, because another title owns that key (SPEC K4). */
export const COLLISION = foldedTable('collisions.collision', {
  reads: [semDecider],
  types: ['collision_event', 'collision_closed'],
  key: ['contested_key', 'given_key'],
  columns: COLUMNS,
  unique: [['position'], ['collision_id']],
  indexes: {
    collision_open: '(position) where closed_at is null',
  },
  at: ({ stream, data }) => [{ contested_key: keyOfSemStream(stream), given_key: data.key }],
  row: (before, event) => (event.type === 'collision_event' ? found(event) : closed(before, event)),
});

/** The collisions of titles, for review by the council (SPEC K4). */
@Projector({ name: 'collisions', version: 2, tables: [COLLISION] })
export class CollisionsProjection {}

const found = (event: Logged<Found>): StoredCollision => ({
  collision_id: event.metadata.event_id,
  position: event.position.toString(),
  contested_key: keyOfSemStream(event.stream),
  given_key: event.data.key,
  title: event.data.title,
  found_at: event.metadata.recorded_at,
  closed_at: null,
  closed_by_sub: null,
  closed_by_user_id: null,
  reason: null,
});

function closed(row: StoredCollision | undefined, { data }: Logged<Closed>): StoredCollision {
  if (row === undefined) throw new Error('a collision is closed before it is found');
  const { reason, closed_at, closed_by } = data;
  const { sub, user_id } = closed_by;
  return { ...row, reason, closed_at, closed_by_sub: sub, closed_by_user_id: user_id };
}
