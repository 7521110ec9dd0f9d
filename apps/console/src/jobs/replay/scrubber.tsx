import { memo } from 'react';
import type { Timeline } from '../record/job-record';
import styles from './replay.module.css';

interface ScrubberProps {
  readonly timeline: Timeline;
  readonly at: number;
  readonly tick: number;
  readonly move: (to: number) => void;
}

/** The slider that holds the cursor, with a mark at each event that began a tick. */
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

/** The width of the drawing; marks closer than one unit are drawn as one. */
const WIDTH = 1_000;

const TickMarks = memo(
  ({ ticks, last }: { readonly ticks: readonly number[]; readonly last: number }) => {
    const places = new Set(ticks.map((number) => Math.round((number / Math.max(1, last)) * WIDTH)));
    const marks = [...places].map((x) => `M${x} 0V6`).join('');
    return (
      <svg
        className={styles.marks}
        viewBox={`0 0 ${WIDTH} 6`}
        preserveAspectRatio="none"
        aria-hidden
      >
        <path d={marks} />
      </svg>
    );
  },
);
TickMarks.displayName = 'TickMarks';
