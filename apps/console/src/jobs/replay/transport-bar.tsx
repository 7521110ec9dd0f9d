import { useState } from 'react';
import { Button } from '../../ui/button';
import { Options } from '../../ui/field';
import { submitting } from '../../ui/form';
import type { JobRecord, Timeline } from '../record/job-record';
import { tickAt } from './place-of-event';
import type { Clock } from './replay-search';
import styles from './replay.module.css';
import { Scrubber } from './scrubber';
import type { Cursor } from './use-cursor';
import { type Play, SPEEDS } from './use-play';

interface TransportBarProps {
  readonly record: JobRecord;
  readonly timeline: Timeline;
  readonly cursor: Cursor;
  readonly play: Play;
  /** True if new events may come. */
  readonly isLive: boolean;
  readonly clock: Clock;
  readonly start: string | undefined;
}

/** Moves the cursor, in one line: steps, play, the slider, and jumps to a number, a tick or the next event of a type. */
export function TransportBar(props: TransportBarProps) {
  const { timeline, cursor, play, isLive } = props;
  const { at, move } = cursor;
  const last = timeline.version;
  const tick = tickAt(timeline, at);
  return (
    <section className={styles.transport} aria-label="Cursor">
      <div className={styles.steps}>
        <Button aria-label="First event" disabled={at === 0} onClick={() => move(0)}>
          |◀
        </Button>
        <Button aria-label="One event back" disabled={at === 0} onClick={() => move(at - 1)}>
          ◀
        </Button>
        <Button className={styles.play} kind="primary" onClick={play.toggle}>
          {play.isPlaying ? 'Pause' : 'Play'}
        </Button>
        <Button aria-label="One event on" disabled={at === last} onClick={() => move(at + 1)}>
          ▶
        </Button>
        <Button aria-label="Last event" disabled={at === last} onClick={() => move(last)}>
          ▶|
        </Button>
      </div>
      <Scrubber {...props} at={at} move={move} />
      <p className={styles.place}>
        Event <strong>{at.toLocaleString('en')}</strong> of {last.toLocaleString('en')} · tick{' '}
        {tick.toLocaleString('en')}
      </p>
      {isLive && (
        <label className={styles.inline}>
          <input
            type="checkbox"
            role="switch"
            checked={cursor.isFollowing}
            onChange={(event) => cursor.follow(event.target.checked)}
          />
          Follow new events
        </label>
      )}
      <details className={styles.more}>
        <summary>Go to …</summary>
        <div className={styles.moreContent}>
          <Jumps timeline={timeline} cursor={cursor} />
          <label className={styles.inline}>
            Speed
            <select
              value={play.speed}
              onChange={(event) => play.setSpeed(Number(event.target.value))}
            >
              <Options of={SPEEDS.map((speed) => [String(speed), `${speed} a second`])} />
            </select>
          </label>
        </div>
      </details>
    </section>
  );
}

type JumpsProps = Pick<TransportBarProps, 'timeline' | 'cursor'>;

function Jumps({ timeline, cursor: { at, move } }: JumpsProps) {
  const { types, type_of, ticks } = timeline;
  const [type, setType] = useState('');
  const code = types.indexOf(type);
  const next = code === -1 ? -1 : type_of.indexOf(code, at + 1);
  const previous = code === -1 || at === 0 ? -1 : type_of.lastIndexOf(code, at - 1);
  return (
    <div className={styles.group}>
      <JumpForm label="Event" name="Go to event" jump={move} />
      <JumpForm
        label="Tick"
        name="Go to tick"
        jump={(tick) => move(tick === 0 ? 0 : (ticks[tick - 1] ?? timeline.version))}
      />
      <label className={styles.inline}>
        Type
        <select value={type} onChange={(event) => setType(event.target.value)}>
          <Options of={[['', 'choose'], ...types.toSorted()]} />
        </select>
      </label>
      <Button
        aria-label="Previous of this type"
        disabled={previous === -1}
        onClick={() => move(previous)}
      >
        ‹
      </Button>
      <Button aria-label="Next of this type" disabled={next === -1} onClick={() => move(next)}>
        ›
      </Button>
    </div>
  );
}

interface JumpFormProps {
  readonly label: string;
  readonly name: string;
  readonly jump: (to: number) => void;
}

function JumpForm({ label, name, jump }: JumpFormProps) {
  const [text, setText] = useState('');
  const submit = submitting(() => {
    const number = Number(text);
    if (text === '' || !Number.isInteger(number)) return;
    jump(number);
    // A number that stays would soon be another one than the cursor's.
    setText('');
  });
  return (
    <form className={styles.inline} onSubmit={submit} aria-label={name}>
      <label className={styles.inline}>
        {label}
        <input
          className={styles.short}
          inputMode="numeric"
          pattern="[0-9]*"
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      </label>
      <Button type="submit" aria-label={name}>
        Go
      </Button>
    </form>
  );
}
