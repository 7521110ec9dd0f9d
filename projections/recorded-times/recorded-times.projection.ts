import { EVERY_DECIDER } from '#domain/replay/stream-rules.js';
import type { DomainEvent } from '#domain/decider.js';
import { hashOf } from '#read-model/checkpoint.js';
import type { EventProjector, Logged, ProjectionTransaction } from '#read-model/projection.js';
import { Projector } from '#read-model/projector.decorator.js';
import { HEAD, SECOND, type StoredHead, type StoredSecond } from './tables.js';

/** Which position of the log was its end at a time on the wall (SPEC W5). */
@Projector({ name: 'recorded_times', version: 2, tables: [SECOND, HEAD], reads: EVERY_DECIDER })
export class RecordedTimesProjection implements EventProjector<DomainEvent> {
  async project(tx: ProjectionTransaction, events: readonly Logged<DomainEvent>[]): Promise<void> {
    const [before] = await HEAD.find(tx, 'true', []);
    const seconds: StoredSecond[] = [];
    let head = before;
    for (const event of events) {
      const second = secondAfter(head, event);
      if (second !== undefined) seconds.push(second);
      head = headAfter(head, event);
    }
    await SECOND.insert(tx, seconds);
    if (head !== undefined && head !== before) await HEAD.replace(tx, [head]);
  }
}

/** Returns the row of the second that begins with an event; undefined if none does. */
function secondAfter(
  head: StoredHead | undefined,
  { metadata: { recorded_at } }: Logged<DomainEvent>,
): StoredSecond | undefined {
  const second = secondOf(recorded_at);
  if (head !== undefined && second <= secondOf(head.latest)) return undefined;
  return {
    second: second.toString(),
    before_position: head?.position ?? null,
    before_hash: head?.hash ?? null,
    rose_before: head?.last_rise ?? null,
  };
}

function headAfter(head: StoredHead | undefined, event: Logged<DomainEvent>): StoredHead {
  const { recorded_at } = event.metadata;
  const position = event.position.toString();
  const rise = { latest: recorded_at, last_rise: position };
  const highest = head === undefined || recorded_at > head.latest ? rise : head;
  const { latest, last_rise } = highest;
  return { id: 0, position, hash: hashOf(event), latest, last_rise };
}

const secondOf = (recordedAt: string): number => Math.floor(Date.parse(recordedAt) / 1_000);
