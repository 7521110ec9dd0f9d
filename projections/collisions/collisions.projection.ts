import { semDecider } from '#domain/sem/sem.decider.js';
import type { SemEvent } from '#domain/sem/events.js';
import { keyOfSemStream } from '#domain/sem/state.js';
import type { EventProjector, Logged, ProjectionTransaction } from '#read-model/projection.js';
import { Projector } from '#read-model/projector.decorator.js';
import { RowSeals } from '#read-model/row-seals.js';
import type { Shown } from '#read-model/read-table.js';
import { COLLISION, type StoredCollision } from './tables.js';

type Found = Extract<SemEvent, { type: 'collision_event' }>;
type Closed = Extract<SemEvent, { type: 'collision_closed' }>;

/** The collisions of titles, for review by the council (SPEC K4). */
@Projector({
  name: 'collisions',
  version: 1,
  tables: [COLLISION],
  reads: [semDecider],
  types: ['collision_event', 'collision_closed'],
})
export class CollisionsProjection implements EventProjector<Found | Closed> {
  constructor(private readonly seals: RowSeals) {}

  async project(
    tx: ProjectionTransaction,
    events: readonly Logged<Found | Closed>[],
  ): Promise<void> {
    const rows = await this.knownRows(tx, events);
    const changed = new Map<string, Shown<StoredCollision>>();
    for (const event of events) {
      const place = placeOf(event);
      const row = event.type === 'collision_event' ? found(event) : closed(rows.get(place), event);
      rows.set(place, row);
      changed.set(place, { row, event });
    }
    await COLLISION.replace(tx, this.seals, [...changed.values()]);
  }

  /** Returns the existing rows of the collisions that the events close. */
  private async knownRows(
    tx: ProjectionTransaction,
    events: readonly Logged<Found | Closed>[],
  ): Promise<Map<string, StoredCollision>> {
    const closures = events.filter(({ type }) => type === 'collision_closed');
    if (closures.length === 0) return new Map();
    const rows = await COLLISION.find(
      tx,
      this.seals,
      'contested_key = any($1::text[]) and given_key = any($2::text[])',
      [closures.map(({ stream }) => keyOfSemStream(stream)), closures.map(({ data }) => data.key)],
    );
    return new Map(rows.map((row) => [`${row.contested_key} ${row.given_key}`, row]));
  }
}

const placeOf = ({ stream, data }: Logged<Found | Closed>): string =>
  `${keyOfSemStream(stream)} ${data.key}`;

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
