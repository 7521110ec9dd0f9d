import { memo, type PointerEvent, useMemo, useState } from 'react';
import type { JobRecord, Timeline } from '../record/job-record';
import { bandOf, FAMILIES } from './event-families';
import { shortMoment } from './moment';
import { tickAt, timeOf, typeAt } from './place-of-event';
import type { Clock } from './replay-search';
import styles from './replay.module.css';
import { useEvents } from './use-events';
import { useThrottled } from './use-throttled';

interface ScrubberProps {
  readonly record: JobRecord;
  readonly timeline: Timeline;
  readonly at: number;
  readonly move: (to: number) => void;
  readonly clock: Clock;
  readonly start: string | undefined;
}

/** The slider's thumb cannot leave the track, so the places of the events begin half a thumb from its edges. */
const INSET_PX = 8;
/** The time of an event is asked for at most this often, in ms, while the pointer moves. */
const POINT_MS = 80;

/** The slider that holds the cursor, over a band with the colours of the events. */
export function Scrubber({ record, timeline, at, move, clock, start }: ScrubberProps) {
  const { version } = timeline;
  const [pointed, setPointed] = useState<number>();
  const [hasFocus, setFocus] = useState(false);
  const point = (event: PointerEvent<HTMLElement>): void => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    const part = (event.clientX - left - INSET_PX) / Math.max(1, width - 2 * INSET_PX);
    setPointed(Math.round(Math.min(1, Math.max(0, part)) * version));
  };
  const said = pointed ?? at;
  const asked = [useThrottled(at, POINT_MS), useThrottled(said, POINT_MS)];
  const eventOf = useEvents(
    { record, conditions: undefined, count: version + 1, last: version },
    asked,
  );
  const placeWords = (number: number): readonly string[] => {
    const time = asked.includes(number) ? timeOf(eventOf(number)) : undefined;
    return [
      `tick ${tickAt(timeline, number).toLocaleString('en')}`,
      ...(time === undefined ? [] : [shortMoment(time, start, clock)]),
      typeAt(timeline, number),
    ];
  };
  return (
    <div
      className={styles.scrubber}
      onPointerMove={point}
      onPointerLeave={() => setPointed(undefined)}
    >
      <Band timeline={timeline} />
      <input
        type="range"
        min={0}
        max={version}
        value={at}
        aria-label="Event"
        aria-valuetext={[`Event ${at} of ${version}`, ...placeWords(at)].join(', ')}
        onChange={(event) => move(event.target.valueAsNumber)}
        onFocus={(event) => setFocus(event.target.matches(':focus-visible'))}
        onBlur={() => setFocus(false)}
      />
      {(pointed !== undefined || hasFocus) && (
        <span
          className={styles.tip}
          aria-hidden
          style={{ insetInlineStart: `${(said / Math.max(1, version)) * 100}%` }}
        >
          {[`event ${said.toLocaleString('en')}`, ...placeWords(said)].join(' · ')}
        </span>
      )}
    </div>
  );
}

const COLUMNS = 240;

/** The events from left to right, each column in the colours of its events. */
const Band = memo(({ timeline }: Pick<ScrubberProps, 'timeline'>) => {
  const columns = useMemo(() => bandOf(timeline, COLUMNS), [timeline]);
  return (
    <svg
      className={styles.band}
      viewBox={`0 0 ${columns.length} 1`}
      preserveAspectRatio="none"
      aria-hidden
    >
      {FAMILIES.map((family) => (
        <path
          key={family}
          data-family={family}
          d={columns
            .flatMap((shares, x) =>
              shares
                .filter((share) => share.family === family)
                .map(({ from, to }) => `M${x} ${from}h1V${to}h-1z`),
            )
            .join('')}
        />
      ))}
    </svg>
  );
});
Band.displayName = 'Band';
