import { memo } from 'react';
import type { Timeline } from '../record/job-record';
import styles from './replay.module.css';

interface ScrubberProps {
  readonly timeline: Timeline;
  readonly at: number;
  readonly tick: number;
  readonly move: (to: number) => void;
}

/** The slider that holds the cursor, with marks at the events that began a tick. */
export function Scrubber({ timeline, at, tick, move }: ScrubberProps) {
  const { version, types, type_of } = timeline;
  const type = types[type_of[at] ?? -1] ?? '';
  return (
    <div className={styles.scrubber}>
      <input
        type="range"
        min={0}
        max={version}
        value={at}
        aria-label="Event"
        aria-valuetext={`Event ${at} of ${version}, tick ${tick}, ${type}`}
        onChange={(event) => move(event.target.valueAsNumber)}
      />
      <TickMarks ticks={timeline.ticks} last={version} />
    </div>
  );
}

const WIDTH = 1_000;
const MAX_MARKS = 200;

/** Returns how many ticks lie between two marks: 1, 2, 5, 10, 20 and so on, so that the marks stay apart. */
export function ticksPerMark(ticks: number): number {
  for (let step = 1; ; step *= 10)
    for (const factor of [1, 2, 5]) if (ticks <= step * factor * MAX_MARKS) return step * factor;
}

interface TickMarksProps {
  readonly ticks: readonly number[];
  readonly last: number;
}

const TickMarks = memo(({ ticks, last }: TickMarksProps) => {
  const step = ticksPerMark(ticks.length);
  const marked = ticks.filter((_, index) => (index + 1) % step === 0);
  const marks = marked.map((number) => `M${Math.round((number / Math.max(1, last)) * WIDTH)} 0V6`);
  return (
    <>
      <svg
        className={styles.marks}
        viewBox={`0 0 ${WIDTH} 6`}
        preserveAspectRatio="none"
        aria-hidden
      >
        <path d={marks.join('')} />
      </svg>
      {step > 1 && <p className={styles.muted}>One mark for {step.toLocaleString('en')} ticks</p>}
    </>
  );
});
TickMarks.displayName = 'TickMarks';
