import { requireArguments } from './arguments.js';
import type { Schemas } from './schemas.js';
import type { ReadOptions, Transport } from './transport.js';

/** The end of the log at a time. */
export type Moment = Schemas['MomentDto'];

/** Asks at which position the log ended at a time. */
export async function positionAt(
  transport: Transport,
  time: Date | string,
  options?: ReadOptions,
): Promise<Moment> {
  // An invalid date is refused as what it is.
  const at = time instanceof Date && !Number.isNaN(time.getTime()) ? time.toISOString() : time;
  requireArguments({ time: at }, { time: 'time' });
  return transport.get('/v1/positions', { at: at as string }, options);
}
