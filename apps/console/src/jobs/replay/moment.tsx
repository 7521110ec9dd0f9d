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

/** The time of an event: in UTC, in the reader's zone, or since the job's start. */
export function Moment({ at, start, clock, isShort = false }: MomentProps) {
  if (at === undefined) return null;
  if (clock !== 'elapsed')
    return isShort ? (
      <time dateTime={at} title={at}>
        {clock === 'utc' ? at.slice(11, 19) : LOCAL_TIME.format(new Date(at))}
      </time>
    ) : (
      <Instant at={at} zone={clock} />
    );
  if (start === undefined) return null;
  return (
    <time dateTime={at} title={at}>
      {elapsedText(Date.parse(at) - Date.parse(start))}
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
