import { type RefObject, useEffect, useState } from 'react';
import { Button } from '../../ui/button';
import { TextField } from '../../ui/field';
import { submitting } from '../../ui/form';
import type { Matches } from '../record/job-record';
import styles from './replay.module.css';
import { TOKENS } from './search-tokens';

interface FilterBarProps {
  /** The search as the reader wrote it. */
  readonly search: string;
  readonly problem: string | undefined;
  readonly show: (search: string) => void;
  readonly matches: Matches | undefined;
  readonly toMatch: (side: 'previous' | 'next') => void;
  readonly searchField: RefObject<HTMLInputElement | null>;
}

/** Chooses by words and tokens which events the list shows. */
export function FilterBar(props: FilterBarProps) {
  const { search, problem, show, searchField } = props;
  const [text, setText] = useState(search);
  useEffect(() => setText(search), [search]);
  const submit = submitting(() => show(text.trim()));
  return (
    <form className={styles.filters} role="search" aria-label="Filter events" onSubmit={submit}>
      <div className={styles.search}>
        <TextField
          label="Search"
          ref={searchField}
          type="search"
          maxLength={1_000}
          spellCheck={false}
          placeholder="type:wm_inserted tick:9-14 seattle"
          title={`Words of the content, and ${TOKENS}`}
          value={text}
          problem={problem}
          onChange={(value) => {
            setText(value);
            if (value === '') show('');
          }}
        />
      </div>
      <Button type="submit">Search</Button>
      {search !== '' && problem === undefined && <MatchSteps {...props} />}
    </form>
  );
}

function MatchSteps({ matches, toMatch, show }: FilterBarProps) {
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
      <Button kind="quiet" onClick={() => show('')}>
        Show all events
      </Button>
    </div>
  );
}
