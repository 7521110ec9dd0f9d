import { expect, test } from '@jest/globals';
import { EventStreams, MAX_OF_ALL, MAX_STREAMS } from '#apps/api/events/event-streams.js';
import type { Metrics } from '#apps/api/platform/health/metrics.js';
import { openLogger } from '#platform/start/logger.js';

const UNCOUNTED = { eventStreams: { inc: () => undefined, dec: () => undefined } };

test('all subjects together have so many event streams open, and another one after one has ended', () => {
  const streams = new EventStreams(UNCOUNTED as unknown as Metrics, openLogger('silent'));
  const open = (sub: string) =>
    streams.open({ sub, until: Date.now() + 60_000 }, async function* () {});
  const opened = Array.from({ length: MAX_OF_ALL }, (_, place) =>
    open(`sub-${Math.floor(place / MAX_STREAMS)}`),
  );
  expect(() => open('late')).toThrow(expect.objectContaining({ code: 'RATE_LIMITED' }));
  opened[0]?.getStream().emit('close');
  opened.push(open('late'));
  for (const stream of opened) stream.getStream().destroy();
});
