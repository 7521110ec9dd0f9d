import { Instant } from '../../ui/instant';
import type { Clock } from './replay-search';

interface MomentProps {
  /** The wall-clock time of the append. */
  readonly at: string | undefined;
  readonly start: string | undefined;
  readonly clock: Clock;
  /** Without the day, which the tooltip has. */
  readonly isShort?: boolean;
}

const LOCAL_TIME = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium' });

/** Returns the time of an event without its day: in UTC, in the reader's zone, or since the job's start. */
export function shortMoment(at: string, start: string | undefined, clock: Clock): string {
  if (clock === 'utc') return at.slice(11, 19);
  if (clock === 'local') return LOCAL_TIME.format(new Date(at));
  return start === undefined ? '' : elapsedText(Date.parse(at) - Date.parse(start));
}

/** The time of an event. */
export function Moment({ at, start, clock, isShort = false }: MomentProps) {
  if (at === undefined) return null;
  if (clock !== 'elapsed' && !isShort) return <Instant at={at} zone={clock} />;
  return (
    <time dateTime={at} title={at}>
      {shortMoment(at, start, clock)}
    </time>
  );
}

/** Returns a span as `+1:02:03.456`. */
export function elapsedText(span: number): string {
  const ms = Math.abs(span);
  const parts = [
    Math.floor(ms / 3_600_000),
    Math.floor(ms / 60_000) % 60,
    Math.floor(ms / 1_000) % 60,
  ];
  const [hours, minutes, seconds] = parts.map((part) => String(part).padStart(2, '0'));
  return `${span < 0 ? '-' : '+'}${hours}:${minutes}:${seconds}.${String(ms % 1_000).padStart(3, '0')}`;
}
