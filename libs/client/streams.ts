import { requireArguments } from './arguments.js';
import type { ReplayReport } from './jobs.js';
import type { ReadOptions, Transport } from './transport.js';

/** The streams of the log, by their names: for auditors, admins and the council. */
export class Streams {
  constructor(private readonly transport: Transport) {}

  /** Yields the lines of the stream's signed bundle, without line feeds, as they arrive. */
  bundle(stream: string, options?: ReadOptions): AsyncGenerator<string> {
    requireArguments({ stream }, { stream: 'stream' });
    return this.transport.lines('/v1/streams/bundle', { stream }, options);
  }

  /** Replays a stream from its inputs and compares every event. */
  replay(
    stream: string,
    mode: ReplayReport['mode'] = 'audit',
    options?: ReadOptions,
  ): Promise<ReplayReport> {
    requireArguments({ stream }, { stream: 'stream' });
    return this.transport.ask('/v1/streams/replays', { stream, mode }, options);
  }
}
