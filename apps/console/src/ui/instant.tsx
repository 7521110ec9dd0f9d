import { useTimePassing } from './use-time-passing';

interface InstantProps {
  /** ISO 8601 in UTC. */
  readonly at: string;
  /** `utc` is the default, because the log's times are in UTC. */
  readonly zone?: 'utc' | 'local';
}

const LOCAL = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium' });

/** A moment, with its UTC form as a tooltip. */
export const Instant = ({ at, zone = 'utc' }: InstantProps) => (
  <time dateTime={at} title={at}>
    {zone === 'utc' ? at.replace('T', ' ').replace(/\.\d+Z$/, ' UTC') : LOCAL.format(new Date(at))}
  </time>
);

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

/** Returns a time from now in words, from a day on to the nearest day: `in 3 hours`, `2 days ago`, `now`. */
export function inWords(at: string, now = Date.now()): string {
  const distance = Date.parse(at) - now;
  for (const [unit, ms] of UNITS) {
    if (Math.abs(distance) < ms) continue;
    const count = (unit === 'day' ? Math.round : Math.floor)(Math.abs(distance) / ms);
    const words = `${count} ${unit}${count === 1 ? '' : 's'}`;
    return distance > 0 ? `in ${words}` : `${words} ago`;
  }
  return Math.abs(distance) < 1_000 ? 'now' : distance > 0 ? 'in less than a minute' : 'just now';
}

/** How long ago a moment was, in words, with the moment as a tooltip. */
export function Age({ at }: Pick<InstantProps, 'at'>) {
  useTimePassing();
  return (
    <time dateTime={at} title={at}>
      {inWords(at)}
    </time>
  );
}
