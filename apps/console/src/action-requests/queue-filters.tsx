import { useNavigate } from '@tanstack/react-router';
import { useId, useState } from 'react';
import { type Choices, Options } from '../ui/field';
import { useMoment } from '../moment/use-moment';
import { Button } from '../ui/button';
import { useTyped } from '../ui/use-typed';
import type { QueueCounts } from './queue-rows';
import {
  GROUPS,
  KINDS,
  ORDERS,
  QUESTIONS,
  type QueueSearch,
  queueSearchOf,
  REFUSALS,
  RISKS,
  STATUSES,
  TEXT_LENGTH,
} from './queue-search';
import styles from './queue.module.css';
import { WorkFilters } from './work-filters';
import { KIND_WORDS, RISK_WORDS, STATUS_WORDS } from './words';

const ORDER_WORDS = {
  deadline: 'Deadline first',
  risk: 'Risk first',
  oldest: 'Oldest first',
} as const;

const GROUP_WORDS = { proposer: 'By proposer', job: 'By job' } as const;

const QUESTION_WORDS = {
  answered_caller: 'I asked, answered',
  answered: 'Answered',
  waiting: 'Waiting for an answer',
} as const;

const REFUSAL_WORDS = { only: 'Would be refused', none: 'Would be written' } as const;

interface QueueFiltersProps {
  readonly search: QueueSearch;
  readonly counts: QueueCounts | undefined;
}

/** The filters that are shown only if one of them is set, or on request. */
const MORE = ['kind', 'question', 'refused', 'proposer', 'key', 'voted'] as const;

/** The filters of the queue. They stand in the URL, so that a view can be kept and shared. */
export function QueueFilters({ search, counts }: QueueFiltersProps) {
  const more = useId();
  const isPast = useMoment().at !== undefined;
  const navigate = useNavigate();
  const change = (part: Readonly<Record<string, unknown>>): void => {
    void navigate({
      to: '/requests',
      search: (now) => queueSearchOf({ ...now, at: undefined, ...part }),
      replace: true,
    });
  };
  const counted = (words: string, count: number | undefined): string =>
    count === undefined ? words : `${words} (${count})`;
  const { status = 'pending', order = 'deadline' } = search;
  const [isOpen, open] = useState(() => MORE.some((name) => search[name] !== undefined));
  return (
    <search className={styles.filters}>
      <TextFilter
        label="Search"
        placeholder="Target or justification"
        value={search.text ?? ''}
        isMain
        onChange={(text) => change({ text })}
      />
      <Choice
        label="Status"
        value={status}
        options={STATUSES.map((name) => [
          name,
          counted(STATUS_WORDS[name], counts?.by_status[name]),
        ])}
        onChange={(next) => change({ status: next })}
      />
      {!isPast && (
        <>
          <Choice
            label="Risk"
            value={search.risk ?? ''}
            options={[
              ['', 'Every risk'],
              ...RISKS.map(
                (name) => [name, counted(RISK_WORDS[name], counts?.by_risk?.[name])] as const,
              ),
            ]}
            onChange={(risk) => change({ risk })}
          />
          <Choice
            label="Order"
            value={order}
            options={ORDERS.map((name) => [name, ORDER_WORDS[name]])}
            onChange={(next) => change({ order: next })}
          />
        </>
      )}
      <Choice
        label="Group"
        value={search.group ?? ''}
        options={[['', 'One list'], ...GROUPS.map((name) => [name, GROUP_WORDS[name]] as const)]}
        onChange={(group) => change({ group })}
      />
      <Button
        className={styles.toMore ?? ''}
        aria-expanded={isOpen}
        aria-controls={more}
        onClick={() => open(!isOpen)}
      >
        {isOpen ? 'Fewer filters' : 'More filters'}
      </Button>
      <div id={more} className={styles.more} hidden={!isOpen}>
        <Choice
          label="Kind"
          value={search.kind ?? ''}
          options={[['', 'Every kind'], ...KINDS.map((name) => [name, KIND_WORDS[name]] as const)]}
          onChange={(kind) => change({ kind })}
        />
        {!isPast && (
          <Choice
            label="Questions"
            value={search.question ?? ''}
            options={[
              ['', 'With and without'],
              ...QUESTIONS.map(
                (name) => [name, counted(QUESTION_WORDS[name], counts?.by_question[name])] as const,
              ),
            ]}
            onChange={(question) => change({ question })}
          />
        )}
        {status === 'pending' && !isPast && (
          <Choice
            label="If approved now"
            value={search.refused ?? ''}
            options={[
              ['', 'Written or refused'],
              ...REFUSALS.map((name) => [name, REFUSAL_WORDS[name]] as const),
            ]}
            onChange={(refused) => change({ refused })}
          />
        )}
        <TextFilter
          label="Proposer"
          placeholder="Its id"
          value={search.proposer ?? ''}
          onChange={(proposer) => change({ proposer })}
        />
        <TextFilter
          label="Target begins with"
          placeholder="user/profile/"
          value={search.key ?? ''}
          onChange={(key) => change({ key })}
        />
        {!isPast && <WorkFilters search={search} change={change} />}
      </div>
      {isPast && (
        <p className={styles.present}>
          Risk, order, questions, own votes and the work of reviewers are known only for the
          present, so the queue of a moment has no filters for them.
        </p>
      )}
    </search>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly value: string;
  readonly options: Choices<string>;
  readonly onChange: (value: string) => void;
}

function Choice({ label, value, options, onChange }: ChoiceProps) {
  const id = useId();
  return (
    <div className={styles.filter}>
      <label htmlFor={id}>{label}</label>
      <select id={id} value={value} onChange={(event) => onChange(event.target.value)}>
        <Options of={options} />
      </select>
    </div>
  );
}

interface TextFilterProps {
  readonly label: string;
  readonly placeholder: string;
  readonly value: string;
  /** The field that `/` goes to. */
  readonly isMain?: boolean;
  readonly onChange: (value: string) => void;
}

function TextFilter({ label, placeholder, value, isMain = false, onChange }: TextFilterProps) {
  const id = useId();
  const [typed, type] = useTyped(value, onChange);
  return (
    <div className={styles.filter}>
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        type="search"
        {...(isMain ? { 'data-search': '' } : {})}
        value={typed}
        maxLength={TEXT_LENGTH}
        placeholder={placeholder}
        onChange={(event) => type(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') onChange(event.currentTarget.value);
          // The keys of the list work again at once.
          if (event.key === 'Enter' || event.key === 'Escape') event.currentTarget.blur();
        }}
      />
    </div>
  );
}
