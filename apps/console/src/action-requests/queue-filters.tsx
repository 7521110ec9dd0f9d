import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useId } from 'react';
import { useTyped } from '../ui/use-typed';
import {
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
import { KIND_WORDS, RISK_WORDS, STATUS_WORDS } from './words';

const ORDER_WORDS = {
  deadline: 'Deadline first',
  risk: 'Risk first',
  oldest: 'Oldest first',
} as const;

const QUESTION_WORDS = {
  answered_caller: 'I asked, answered',
  answered: 'Answered',
  waiting: 'Waiting for an answer',
} as const;

const REFUSAL_WORDS = { only: 'Would be refused', none: 'Would be written' } as const;

interface QueueFiltersProps {
  readonly search: QueueSearch;
  readonly counts:
    | {
        readonly by_status: Readonly<Record<string, number>>;
        readonly by_risk: Readonly<Record<string, number>> | null;
        readonly by_question: Readonly<Record<string, number>>;
      }
    | undefined;
}

/** The filters of the queue. They stand in the URL, so that a view can be kept and shared. */
export function QueueFilters({ search, counts }: QueueFiltersProps) {
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
  return (
    <search className={styles.filters}>
      <TextFilter
        label="Search"
        placeholder="Target or justification"
        value={search.text ?? ''}
        isMain
        onChange={(text) => change({ text })}
      />
      <Choice label="Status" value={status} onChange={(next) => change({ status: next })}>
        {STATUSES.map((name) => (
          <option key={name} value={name}>
            {counted(STATUS_WORDS[name], counts?.by_status[name])}
          </option>
        ))}
      </Choice>
      <Choice label="Risk" value={search.risk ?? ''} onChange={(risk) => change({ risk })}>
        <option value="">Every risk</option>
        {RISKS.map((name) => (
          <option key={name} value={name}>
            {counted(RISK_WORDS[name], counts?.by_risk?.[name])}
          </option>
        ))}
      </Choice>
      <Choice label="Kind" value={search.kind ?? ''} onChange={(kind) => change({ kind })}>
        <option value="">Every kind</option>
        {KINDS.map((name) => (
          <option key={name} value={name}>
            {KIND_WORDS[name]}
          </option>
        ))}
      </Choice>
      <Choice
        label="Questions"
        value={search.question ?? ''}
        onChange={(question) => change({ question })}
      >
        <option value="">With and without</option>
        {QUESTIONS.map((name) => (
          <option key={name} value={name}>
            {counted(QUESTION_WORDS[name], counts?.by_question[name])}
          </option>
        ))}
      </Choice>
      {status === 'pending' && (
        <Choice
          label="If approved now"
          value={search.refused ?? ''}
          onChange={(refused) => change({ refused })}
        >
          <option value="">Written or refused</option>
          {REFUSALS.map((name) => (
            <option key={name} value={name}>
              {REFUSAL_WORDS[name]}
            </option>
          ))}
        </Choice>
      )}
      <Choice label="Order" value={order} onChange={(next) => change({ order: next })}>
        {ORDERS.map((name) => (
          <option key={name} value={name}>
            {ORDER_WORDS[name]}
          </option>
        ))}
      </Choice>
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
      <label className={styles.check}>
        <input
          type="checkbox"
          checked={search.voted === true}
          onChange={(event) => change({ voted: event.target.checked ? true : undefined })}
        />
        With those that I have voted on
      </label>
    </search>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly children: ReactNode;
}

function Choice({ label, value, onChange, children }: ChoiceProps) {
  const id = useId();
  return (
    <div className={styles.filter}>
      <label htmlFor={id}>{label}</label>
      <select id={id} value={value} onChange={(event) => onChange(event.target.value)}>
        {children}
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
          // The keys of the list work again at once.
          if (event.key === 'Enter' || event.key === 'Escape') event.currentTarget.blur();
        }}
      />
    </div>
  );
}
