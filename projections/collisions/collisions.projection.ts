import type { SemEvent } from '#domain/sem/events.js';
import { keyOfSemStream } from '#domain/sem/state.js';
import type { LoggedEvent } from '#event-store/event-store.js';
import type { EventProjector, ProjectionTransaction } from '#read-model/projection.js';
import { Projector } from '#read-model/projector.decorator.js';
import { RowSeals } from '#read-model/row-seals.js';
import type { Shown } from '#read-model/sealed-table.js';
import { readTables } from '../read-tables.js';
import { COLLISION, type StoredCollision } from './tables.js';

type EventOf<Type extends SemEvent['type']> = Omit<LoggedEvent, 'type' | 'data'> &
  Extract<SemEvent, { type: Type }>;
type Logged = EventOf<'collision_event'> | EventOf<'collision_closed'>;

/** The collisions of titles, for review by the council (SPEC K4). */
@Projector({
  name: 'collisions',
  version: 1,
  tables: readTables(import.meta.url),
  categories: ['sem'],
  types: new Set<SemEvent['type']>(['collision_event', 'collision_closed']),
})
export class CollisionsProjection implements EventProjector {
  constructor(private readonly seals: RowSeals) {}

  async project(tx: ProjectionTransaction, events: readonly LoggedEvent[]): Promise<void> {
    const logged = events as unknown as readonly Logged[];
    const rows = await this.knownRows(tx, logged);
    const changed = new Map<string, Shown<StoredCollision>>();
    for (const event of logged) {
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
    events: readonly Logged[],
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

const placeOf = ({ stream, data }: Logged): string => `${keyOfSemStream(stream)} ${data.key}`;

const found = (event: EventOf<'collision_event'>): StoredCollision => ({
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

function closed(
  row: StoredCollision | undefined,
  { data }: EventOf<'collision_closed'>,
): StoredCollision {
  if (row === undefined) throw new Error('a collision is closed before it is found');
  const { reason, closed_at, closed_by } = data;
  const { sub, user_id } = closed_by;
  return { ...row, reason, closed_at, closed_by_sub: sub, closed_by_user_id: user_id };
}
