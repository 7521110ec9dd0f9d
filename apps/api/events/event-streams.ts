import { type BeforeApplicationShutdown, Inject, Injectable, StreamableFile } from '@nestjs/common';
import type { Logger } from 'pino';
import { Metrics } from '../platform/health/metrics.js';
import { Shares } from '../platform/shares.js';
import { LOGGER } from '../platform/tokens.js';
import { EventStreamBody, type StreamPiece } from './event-stream-body.js';
import { EVENT_STREAM, type StreamHolder } from './event-stream-request.js';

const COMMENT_EVERY_MS = 15_000;
/** The maximum number of streams that a subject has open at the same time on one instance. */
export const MAX_STREAMS = 16;
/** The maximum number of streams that all subjects together have open on one instance. */
export const MAX_OF_ALL = 256;
/** The time in ms that a slow client has to take the rest of its stream when the service stops. */
const STOP_MS = 1_000;

/** The open streams of events. When the service stops, it ends all of them (SPEC §13). */
@Injectable()
export class EventStreams implements BeforeApplicationShutdown {
  private readonly bodies = new Set<EventStreamBody>();
  private readonly shares = new Shares('event streams', {
    ofSubject: MAX_STREAMS,
    ofAll: MAX_OF_ALL,
  });
  private isStopping = false;

  constructor(
    private readonly metrics: Metrics,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Returns the answer that streams the pieces. The stream ends when the holder's token expires.
   * @throws Refusal RATE_LIMITED if the subject, or all subjects, have too many open streams.
   */
  open(
    { sub, until }: StreamHolder,
    pieces: (signal: AbortSignal) => AsyncIterable<StreamPiece>,
  ): StreamableFile {
    const release = this.shares.take(sub);
    const body = new EventStreamBody(pieces, { commentEveryMs: COMMENT_EVERY_MS, until });
    this.bodies.add(body);
    this.metrics.eventStreams.inc();
    body.once('error', ({ name }) =>
      this.logger.error({ type: 'event_stream_failed', error: name }),
    );
    body.once('close', () => {
      this.bodies.delete(body);
      release();
      this.metrics.eventStreams.dec();
    });
    if (this.isStopping) body.finish();
    return new StreamableFile(body, { type: EVENT_STREAM });
  }

  /** Ends all streams. The HTTP server, which stops after this, waits until their clients have the rest. */
  beforeApplicationShutdown(): void {
    this.isStopping = true;
    const bodies = [...this.bodies];
    for (const body of bodies) body.finish();
    setTimeout(() => {
      for (const body of bodies) body.destroy();
    }, STOP_MS).unref();
  }
}
