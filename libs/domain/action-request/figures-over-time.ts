import { Refusal } from '../errors/refusal.js';
import { type ClosedRequest, type CouncilFigures, figuresOf } from './council-figures.js';

/** The lengths of a bucket. All begin at midnight UTC, and weeks begin on Monday. */
export const BUCKETS = ['day', 'week', 'month'] as const;
export type Bucket = (typeof BUCKETS)[number];

/** From `from` to before `to`; both as normalised timestamps. */
export interface Period {
  readonly from: string;
  readonly to: string;
}

/** The figures of the requests that were closed in a bucket. The first and the last bucket end with the period. */
export type FiguresInBucket = CouncilFigures & Period;

const MAX_BUCKETS = 1_000;
const DAY_MS = 86_400_000;
/** The longest periods, in days, that are shown by day and by week unless the reader asks for another bucket. */
const LONGEST_BY_DAY = 31;
const LONGEST_BY_WEEK = 184;
/** Day 0, 1970-01-01, was a Thursday. */
const DAYS_SINCE_MONDAY = 3;

export function bucketFor({ from, to }: Period): Bucket {
  const days = (Date.parse(to) - Date.parse(from)) / DAY_MS;
  if (days <= LONGEST_BY_DAY) return 'day';
  return days <= LONGEST_BY_WEEK ? 'week' : 'month';
}

/**
 * Returns the figures of each bucket of a period, also of those in which no request was closed.
 * @param requests those that were closed in the period
 * @throws Refusal INVALID_INPUT for a period of too many buckets
 */
export function figuresOverTime(
  requests: readonly ClosedRequest[],
  bucket: Bucket,
  period: Period,
): FiguresInBucket[] {
  const closedIn = new Map<number, ClosedRequest[]>();
  for (const request of requests) {
    const start = startOf(bucket, Date.parse(request.decided_at));
    const others = closedIn.get(start);
    if (others === undefined) closedIn.set(start, [request]);
    else others.push(request);
  }
  return startsIn(bucket, period).map((start, index, starts) => ({
    from: index === 0 ? period.from : new Date(start).toISOString(),
    to: index === starts.length - 1 ? period.to : new Date(starts[index + 1]!).toISOString(),
    ...figuresOf(closedIn.get(start) ?? []),
  }));
}

function startsIn(bucket: Bucket, { from, to }: Period): number[] {
  const end = Date.parse(to);
  const starts: number[] = [];
  for (let start = startOf(bucket, Date.parse(from)); start < end; start = after(bucket, start)) {
    if (starts.length === MAX_BUCKETS)
      throw new Refusal('INVALID_INPUT', {
        reason: `the period has more than ${MAX_BUCKETS} buckets of a ${bucket}; choose a longer bucket or a shorter period`,
      });
    starts.push(start);
  }
  return starts;
}

/** Returns the beginning of the bucket that has a time, in ms since 1970. */
function startOf(bucket: Bucket, time: number): number {
  if (bucket === 'month') return new Date(startOfDay(time)).setUTCDate(1);
  if (bucket === 'day') return startOfDay(time);
  const daysSinceAMonday = Math.floor(time / DAY_MS) + DAYS_SINCE_MONDAY;
  return (Math.floor(daysSinceAMonday / 7) * 7 - DAYS_SINCE_MONDAY) * DAY_MS;
}

const startOfDay = (time: number): number => Math.floor(time / DAY_MS) * DAY_MS;

/** Returns the beginning of the next bucket. */
function after(bucket: Bucket, start: number): number {
  if (bucket === 'month') return new Date(start).setUTCMonth(new Date(start).getUTCMonth() + 1);
  return start + (bucket === 'week' ? 7 : 1) * DAY_MS;
}
