import { useNavigate } from '@tanstack/react-router';
import { type SubmitEvent, useState } from 'react';
import { Button } from '../ui/button';
import { SelectField, TextField } from '../ui/field';
import type { JobsSearch } from './jobs-search';
import styles from './jobs.module.css';

interface JobFiltersProps {
  readonly search: JobsSearch;
  readonly show: (search: JobsSearch) => void;
}

/** The filters of the list, and the way to a job whose seed is known. */
export function JobFilters({ search, show }: JobFiltersProps) {
  const [session, setSession] = useState(search.session ?? '');
  const [owner, setOwner] = useState(search.owner ?? '');
  const apply = (changed: Partial<Record<keyof JobsSearch, string>>): void => {
    const { status, ...texts } = { ...search, session, owner, ...changed };
    show({
      ...(status === 'running' || status === 'ended' ? { status } : {}),
      ...(texts.session && { session: texts.session.trim() }),
      ...(texts.owner && { owner: texts.owner.trim() }),
    });
  };
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    apply({});
  };
  return (
    <div className={styles.filters}>
      <form className={styles.filterForm} role="search" aria-label="Filter jobs" onSubmit={submit}>
        <SelectField
          label="Status"
          value={search.status ?? ''}
          options={[['', 'all'], 'running', 'ended']}
          onChange={(value) => apply({ status: value })}
        />
        <TextField label="Session" value={session} onChange={setSession} />
        <TextField label="Owner" value={owner} onChange={setOwner} />
        <Button type="submit">Filter</Button>
      </form>
      <OpenBySeed />
    </div>
  );
}

function OpenBySeed() {
  const [seed, setSeed] = useState('');
  const navigate = useNavigate();
  const open = (event: SubmitEvent): void => {
    event.preventDefault();
    if (seed.trim() !== '') void navigate({ to: '/jobs/$seed', params: { seed: seed.trim() } });
  };
  return (
    <form className={styles.filterForm} aria-label="Open a job" onSubmit={open}>
      <TextField label="Job seed" value={seed} onChange={setSeed} />
      <Button type="submit">Open</Button>
    </form>
  );
}
