import { EVERY_DECIDER } from '#domain/replay/stream-rules.js';
import type { DomainEvent } from '#domain/decider.js';
import { hashOf } from '#read-model/checkpoint.js';
import type { EventProjector, Logged, ProjectionTransaction } from '#read-model/projection.js';
import { Projector } from '#read-model/projector.decorator.js';
import { HEAD, SECOND, type StoredHead, type StoredSecond } from './tables.js';

/** Which position of the log was its end at a time on the wall (SPEC W5). */
@Projector({ name: 'recorded_times', version: 1, tables: [SECOND, HEAD], reads: EVERY_DECIDER })
export class RecordedTimesProjection implements EventProjector<DomainEvent> {
  async project(tx: ProjectionTransaction, events: readonly Logged<DomainEvent>[]): Promise<void> {
    const [head] = await HEAD.find(tx, 'true', []);
    const after = timesAfter(head, events);
    if (after === undefined) return;
    const known = await SECOND.withKeys(tx, after.seconds);
    const starts = new Map(known.map((row) => [row.second, row]));
    await SECOND.replace(
      tx,
      after.seconds.map((row) => ({ ...row, ...startOf(starts.get(row.second)) })),
    );
    await HEAD.replace(tx, [after.head]);
  }
}

/** Returns where a second began, if an earlier batch has seen that. */
const startOf = (known: StoredSecond | undefined) =>
  known && { before_position: known.before_position, before_hash: known.before_hash };

/** Returns the rows after some events, as far as these events show them; undefined without events. */
function timesAfter(
  before: StoredHead | undefined,
  events: readonly Logged<DomainEvent>[],
): { readonly head: StoredHead; readonly seconds: readonly StoredSecond[] } | undefined {
  const seconds = new Map<string, StoredSecond>();
  let head = before;
  for (const event of events) {
    const { recorded_at } = event.metadata;
    const position = event.position.toString();
    const isRise = head === undefined || recorded_at > head.latest;
    if (isRise) {
      const second = secondOf(recorded_at);
      seconds.set(second, {
        second,
        before_position: head?.position ?? null,
        before_hash: head?.hash ?? null,
        ...seconds.get(second),
        last_rise: position,
      });
    }
    const latest = isRise ? recorded_at : head!.latest;
    head = { id: 0, position, hash: hashOf(event), latest };
  }
  return events.length === 0 ? undefined : { head: head!, seconds: [...seconds.values()] };
}

const secondOf = (recordedAt: string): string =>
  Math.floor(Date.parse(recordedAt) / 1_000).toString();
