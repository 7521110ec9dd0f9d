import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type ClosedRequest, councilFigures } from '#domain/action-request/council-figures.js';
import {
  bucketFor,
  BUCKETS,
  figuresOverTime,
  type FiguresInBucket,
} from '#domain/action-request/figures-over-time.js';

const closedAt = (
  decided_at: string,
  status: ClosedRequest['status'] = 'executed',
): ClosedRequest => ({
  kind: 'sem_put',
  status,
  requested_at: '1969-01-01T00:00:00.000Z',
  decided_at,
  revisions: 0,
  votes: ['approve'],
});
const day = (text: string): string => `${text}T00:00:00.000Z`;
const spans = (series: readonly FiguresInBucket[]): string[] =>
  series.map(({ from, to }) => `${from.slice(0, 10)} ${to.slice(0, 10)}`);

test('days begin at midnight UTC, weeks on Monday and months on the first, and the period cuts the first and the last', () => {
  const period = { from: '2025-12-26T10:00:00.000Z', to: '2026-01-06T12:00:00.000Z' };
  expect(spans(figuresOverTime([], 'week', period))).toStrictEqual([
    '2025-12-26 2025-12-29',
    '2025-12-29 2026-01-05',
    '2026-01-05 2026-01-06',
  ]);
  expect(spans(figuresOverTime([], 'month', period))).toStrictEqual([
    '2025-12-26 2026-01-01',
    '2026-01-01 2026-01-06',
  ]);
  const days = figuresOverTime([closedAt('2026-01-05T23:59:59.999Z')], 'day', period);
  expect(days).toHaveLength(12);
  expect([days[0]?.from, days.at(-1)?.to]).toStrictEqual([period.from, period.to]);
  expect(days.filter(({ decided }) => decided > 0).map(({ from }) => from)).toStrictEqual([
    day('2026-01-05'),
  ]);
});

test('an event at the very beginning of a bucket is in it, and not in the one before', () => {
  const period = { from: day('2026-01-01'), to: day('2026-01-03') };
  const series = figuresOverTime([closedAt(day('2026-01-02'), 'expired')], 'day', period);
  expect(series.map(({ expired }) => expired)).toStrictEqual([0, 1]);
});

test('a period has at most 1,000 buckets', () => {
  const period = { from: day('2020-01-01'), to: day('2022-09-27') };
  expect(figuresOverTime([], 'day', period)).toHaveLength(1_000);
  expect(() => figuresOverTime([], 'day', { ...period, to: '2022-09-27T00:00:00.001Z' })).toThrow(
    expect.objectContaining({
      code: 'INVALID_INPUT',
      facts: {
        reason:
          'the period has more than 1000 buckets of a day; choose a longer bucket or a shorter period',
      },
    }),
  );
});

test('a month is shown by day, half a year by week, and a year by month', () => {
  const to = day('2026-07-01');
  expect(bucketFor({ from: day('2026-06-01'), to })).toBe('day');
  expect(bucketFor({ from: day('2026-05-30'), to })).toBe('week');
  expect(bucketFor({ from: day('2025-12-29'), to })).toBe('week');
  expect(bucketFor({ from: day('2025-12-28'), to })).toBe('month');
});

test('the buckets of a period follow each other without a gap, and their counts add up to those of the period', () => {
  const first = Date.parse('1969-11-20T00:00:00.000Z');
  const time = fc.integer({ min: 0, max: 200 * 86_400_000 - 1 }).map((ms) => first + ms);
  const closed = fc
    .tuple(time, fc.constantFrom('executed' as const, 'rejected' as const, 'expired' as const))
    .map(([ms, status]) => closedAt(new Date(ms).toISOString(), status));
  const ends = fc.uniqueArray(time, { minLength: 2, maxLength: 2 }).map((both) => {
    const [from = 0, to = 0] = both.toSorted((left, right) => left - right);
    return { from: new Date(from).toISOString(), to: new Date(to).toISOString() };
  });
  fc.assert(
    fc.property(fc.array(closed), ends, fc.constantFrom(...BUCKETS), (all, period, bucket) => {
      const requests = all.filter(
        ({ decided_at }) => decided_at >= period.from && decided_at < period.to,
      );
      const series = figuresOverTime(requests, bucket, period);
      const whole = councilFigures(requests);
      for (const count of ['decided', 'approved', 'rejected', 'expired'] as const)
        expect(series.reduce((sum, figures) => sum + figures[count], 0)).toBe(whole[count]);
      expect(series[0]?.from).toBe(period.from);
      expect(series.at(-1)?.to).toBe(period.to);
      series.slice(1).forEach(({ from }, index) => {
        expect(from).toBe(series[index]?.to);
        if (bucket === 'week') expect(new Date(from).getUTCDay()).toBe(1);
        if (bucket === 'month') expect(new Date(from).getUTCDate()).toBe(1);
        expect(from).toMatch(/T00:00:00\.000Z$/);
      });
      for (const { from, to, ...figures } of series) {
        const { by_kind: _, ...same } = councilFigures(
          requests.filter(({ decided_at }) => decided_at >= from && decided_at < to),
        );
        expect(figures).toStrictEqual(same);
      }
    }),
  );
});
