import { Refusal } from '#domain/errors/refusal.js';
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
    throw new Refusal('INVALID_INPUT', { reason: `${field}: is ahead of the log` });
  return position;
}

/** Returns the position after which a stream begins: the client's last event, else the field `after`. */
export const startPosition = (
  lastEventId: bigint | undefined,
  after: string | undefined,
  end: bigint,
): bigint =>
  positionIn('Last-Event-ID', lastEventId, end) ?? positionIn('after', after, end) ?? LOG_START;
