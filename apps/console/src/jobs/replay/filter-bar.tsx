import { type RefObject, useEffect, useState } from 'react';
import { Button } from '../../ui/button';
import { Field, TextField, SelectField } from '../../ui/field';
import { submitting } from '../../ui/form';
import type { Conditions, Matches, Timeline } from '../record/job-record';
import styles from './replay.module.css';

interface FilterBarProps {
  readonly timeline: Timeline;
  readonly conditions: Conditions | undefined;
  readonly show: (conditions: Conditions) => void;
  readonly matches: Matches | undefined;
  readonly toMatch: (side: 'previous' | 'next') => void;
  readonly searchField: RefObject<HTMLInputElement | null>;
}

/** Chooses which events the list shows. The conditions are combined, and stand in the address. */
export function FilterBar(props: FilterBarProps) {
  const { timeline, conditions = {}, show, searchField } = props;
  const [text, setText] = useState(conditions.text ?? '');
  useEffect(() => setText(conditions.text ?? ''), [conditions.text]);
  const change = (changed: {
    readonly [Name in keyof Conditions]?: Conditions[Name] | undefined;
  }) => show(withoutEmpty({ ...conditions, text, ...changed }));
  const submit = submitting(() => change({}));
  return (
    <form className={styles.filters} role="search" aria-label="Filter events" onSubmit={submit}>
      <TextField
        label="Text"
        ref={searchField}
        type="search"
        maxLength={200}
        value={text}
        onChange={(value) => {
          setText(value);
          if (value === '') change({ text: '' });
        }}
      />
      <SelectField
        label="Type of event"
        value={conditions.types ?? ''}
        options={[
          ['', 'every type'],
          ...(conditions.types?.includes(',') ? [conditions.types] : []),
          ...timeline.types.toSorted(),
        ]}
        onChange={(types) => change({ types })}
      />
      <SelectField
        label="Input or outcome"
        value={conditions.kind ?? ''}
        options={[
          ['', 'both'],
          ['input', 'inputs'],
          ['outcome', 'outcomes'],
        ]}
        onChange={(value) => change({ kind: kindIn(value) })}
      />
      <TickField
        label="From tick"
        value={conditions.from_tick}
        change={(from_tick) => change({ from_tick })}
      />
      <TickField
        label="To tick"
        value={conditions.to_tick}
        change={(to_tick) => change({ to_tick })}
      />
      <Button type="submit">Search</Button>
      <MatchSteps {...props} />
    </form>
  );
}

const kindIn = (value: string): Conditions['kind'] =>
  value === 'input' || value === 'outcome' ? value : undefined;

const withoutEmpty = (conditions: Readonly<Record<string, unknown>>): Conditions =>
  Object.fromEntries(
    Object.entries(conditions).filter(([, value]) => value !== undefined && value !== ''),
  );

interface TickFieldProps {
  readonly label: string;
  readonly value: number | undefined;
  readonly change: (tick: number | undefined) => void;
}

function TickField({ label, value, change }: TickFieldProps) {
  return (
    <Field label={label}>
      {(field) => (
        <input
          {...field}
          key={value}
          className={`${field.className} ${styles.short}`}
          inputMode="numeric"
          defaultValue={value}
          onBlur={(event) => {
            const tick = Number.parseInt(event.target.value, 10);
            const next = Number.isNaN(tick) || tick < 0 ? undefined : tick;
            if (next !== value) change(next);
          }}
          onKeyDown={(event) => {
            if (event.key === 'Enter') event.currentTarget.blur();
          }}
        />
      )}
    </Field>
  );
}

function MatchSteps({ conditions, matches, toMatch, show }: FilterBarProps) {
  if (conditions === undefined) return null;
  const { count, previous, next } = matches ?? { count: undefined, previous: null, next: null };
  return (
    <div className={styles.group}>
      <output className={styles.count}>
        {count === undefined
          ? 'Searching …'
          : `${count.toLocaleString('en')} ${count === 1 ? 'event' : 'events'}`}
      </output>
      <Button disabled={previous === null} onClick={() => toMatch('previous')}>
        Previous match
      </Button>
      <Button disabled={next === null} onClick={() => toMatch('next')}>
        Next match
      </Button>
      <Button kind="quiet" onClick={() => show({})}>
        Show all events
      </Button>
    </div>
  );
}
