import { Refusal } from '#domain/errors/refusal.js';
import { type EventStore, NoSuchPosition } from '#event-store/event-store.js';
import { LOG_START } from './recent-events.js';

/**
 * Returns the position that a field names, where `end` is the log's end. @throws Refusal INVALID_INPUT if
 * the position is ahead of the log, as after a restore of an older backup.
 */
export function positionIn(
  field: string,
  named: string | bigint | undefined,
  end: bigint,
): bigint | undefined {
  if (named === undefined) return undefined;
  if (named === 'end') return end;
  const position = BigInt(named);
  if (position > end && position > 0n)
    throw new Refusal('INVALID_INPUT', {
      reason: `${field}: is ahead of the log, which ends at ${end}`,
    });
  return position;
}

/**
 * Returns the position after which a stream begins: the client's last event, else the field `after`. @throws Refusal
 * INVALID_INPUT if it is not a position of this log.
 */
export async function startPosition(
  eventStore: EventStore,
  lastEventId: bigint | undefined,
  after: string | undefined,
  end: bigint,
): Promise<bigint> {
  const field = lastEventId === undefined ? 'after' : 'Last-Event-ID';
  const position = positionIn(field, lastEventId ?? after, end) ?? LOG_START;
  try {
    if (position > 0n && position < end) await eventStore.eventAt(position);
    return position;
  } catch (cause) {
    if (!(cause instanceof NoSuchPosition)) throw cause;
    const reason = `${field}: is not a position of this log, which may have been copied to another server since; begin again without it`;
    throw new Refusal('INVALID_INPUT', { reason }).causedBy(cause);
  }
}
