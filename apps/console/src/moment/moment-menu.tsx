import { useMutation } from '@tanstack/react-query';
import {
  type ClipboardEvent,
  type FocusEvent,
  type KeyboardEvent,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react';
import { isPosition } from '#domain/position.js';
import type { KeyTable } from '../keys/key-table';
import { useKeys } from '../keys/use-keys';
import { useMace } from '../session/session-provider';
import { Button } from '../ui/button';
import { wordsOf } from '../ui/error-notice';
import { TextField } from '../ui/field';
import { submitting } from '../ui/form';
import styles from './moment.module.css';
import { fieldsOf, timeIn } from './moment-words';
import { useChosenMoment, useShowMoment } from './use-moment';

export const MOMENT_KEYS = {
  choose: { key: 't', words: 'Choose a moment of the past, or now' },
} as const satisfies KeyTable;

/** The button that says whether the pages show the present, and the menu in which a person chooses another. */
export function MomentMenu() {
  const chosen = useChosenMoment();
  const [isOpen, setOpen] = useState(false);
  const whole = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const id = useId();
  useKeys(MOMENT_KEYS, { choose: () => setOpen(true) });
  useEffect(() => {
    if (!isOpen) return undefined;
    const leave = ({ target }: PointerEvent): void => {
      if (target instanceof Node && whole.current?.contains(target) === false) setOpen(false);
    };
    document.addEventListener('pointerdown', leave);
    return () => document.removeEventListener('pointerdown', leave);
  }, [isOpen]);
  const close = (): void => {
    setOpen(false);
    button.current?.focus();
  };
  const closeByKey = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || !isOpen) return;
    event.preventDefault();
    close();
  };
  const closeBehind = ({ currentTarget, relatedTarget }: FocusEvent): void => {
    if (relatedTarget !== null && !currentTarget.contains(relatedTarget)) setOpen(false);
  };
  return (
    <div ref={whole} onKeyDown={closeByKey} onBlur={closeBehind}>
      <button
        ref={button}
        type="button"
        className={`${styles.button} ${chosen === undefined ? '' : styles.past}`}
        title={`Key: ${MOMENT_KEYS.choose.key}`}
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setOpen(!isOpen)}
      >
        <span className="visually-hidden">Moment: </span>
        {chosen === undefined ? 'Now' : 'Past'} <span aria-hidden="true">▾</span>
      </button>
      {isOpen && <Choice id={id} chosen={chosen} close={close} />}
    </div>
  );
}

const BEFORE_THE_LOG = 'This time is before the first event of the log, when nothing was known.';

const MINUTE_MS = 60_000;
const AGO = [
  ['10 minutes ago', 10 * MINUTE_MS],
  ['1 hour ago', 60 * MINUTE_MS],
  ['Yesterday', 24 * 60 * MINUTE_MS],
] as const;

interface ChoiceProps {
  readonly id: string;
  readonly chosen: string | undefined;
  readonly close: () => void;
}

function Choice({ id, chosen, close }: ChoiceProps) {
  const show = useShowMoment();
  const first = useRef<HTMLDivElement>(null);
  const byTime = useRef<HTMLFormElement>(null);
  const [fields, setFields] = useState(() => fieldsOf(startOf(chosen)));
  const [position, setPosition] = useState(
    chosen !== undefined && isPosition(chosen) ? chosen : '',
  );
  const choose = useChoice((moment) => {
    show(moment);
    close();
  });
  useEffect(() => first.current?.querySelector('button')?.focus(), []);
  const submit = submitting(() => choose.mutate(`${fields.date}T${fields.clock}Z`));
  const submitPosition = submitting(() => choose.mutate(position));
  const paste = (event: ClipboardEvent): void => {
    const time = timeIn(event.clipboardData.getData('text'));
    if (time === undefined) return;
    event.preventDefault();
    setFields(fieldsOf(time));
    byTime.current?.querySelector('button')?.focus();
  };
  return (
    <div id={id} className={styles.menu} role="group" aria-label="Choose a moment" onPaste={paste}>
      <div ref={first} className={styles.quick}>
        <Button
          aria-pressed={chosen === undefined}
          onClick={() => {
            show(undefined);
            close();
          }}
        >
          Now
        </Button>
        {AGO.map(([words, ms]) => (
          <Button key={words} onClick={() => choose.mutate(secondBefore(ms))}>
            {words}
          </Button>
        ))}
      </div>
      <form ref={byTime} className={styles.exact} aria-label="By time" onSubmit={submit}>
        <TextField
          label="Date"
          type="date"
          required
          value={fields.date}
          onChange={(date) => setFields({ ...fields, date })}
        />
        <TextField
          label="Time (UTC)"
          type="time"
          step={0.001}
          required
          value={fields.clock}
          onChange={(clock) => setFields({ ...fields, clock: clock.padEnd(8, ':00') })}
        />
        <Button type="submit" kind="primary">
          Show
        </Button>
      </form>
      <form className={styles.exact} aria-label="By position" onSubmit={submitPosition}>
        <TextField
          label="Or position of an event"
          inputMode="numeric"
          pattern="[0-9]{1,18}"
          required
          value={position}
          onChange={setPosition}
        />
        <Button type="submit">Show position</Button>
      </form>
      <p role="alert" className={styles.problem}>
        {choose.isError && wordsOf(choose.error).title}
        {choose.isSuccess && choose.data === undefined && BEFORE_THE_LOG}
      </p>
    </div>
  );
}

/** Asks the service for the position of a moment. Its answer is undefined for a time at which the log had not begun. */
function useChoice(onKnown: (moment: string) => void) {
  const mace = useMace();
  return useMutation({
    mutationFn: async (moment: string) => {
      const { at, position } = await mace.positionAt(moment);
      if (position === null) return undefined;
      return isPosition(moment) ? moment : at;
    },
    onSuccess: (moment) => {
      if (moment !== undefined) onKnown(moment);
    },
  });
}

/** Returns the time from which the fields start: the chosen one, else this second. */
const startOf = (chosen = ''): Date => timeIn(chosen) ?? new Date(secondBefore(0));

/** Returns a time before now, at the beginning of its second. */
const secondBefore = (ms: number): string =>
  new Date(Math.floor((Date.now() - ms) / 1_000) * 1_000).toISOString();
