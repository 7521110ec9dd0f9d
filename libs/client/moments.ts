import { bodyOf, requireArguments } from './arguments.js';
import type { QueryOf, Schemas } from './schemas.js';
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
  requireArguments({ time: at }, { time: 'moment' });
  return transport.get('/v1/positions', { at: at as string }, options);
}

/** Yields the lines of the signed file with what the log held at a time, without line feeds, as they arrive. */
export function momentFile(
  transport: Transport,
  asked: QueryOf<'/v1/positions/bundle'>,
  options?: ReadOptions,
): AsyncGenerator<string> {
  const query = bodyOf('asked', asked, 'GET /v1/positions/bundle');
  return transport.lines('/v1/positions/bundle', { ...query }, options);
}
