import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useMemo, useRef } from 'react';
import { KeysButton, useKeyList } from '../../keys/keys-help';
import { useAnnounce } from '../../ui/announcer';
import { Button } from '../../ui/button';
import { ErrorNotice } from '../../ui/error-notice';
import { Message } from '../../ui/message';
import type { JobRecord, Timeline } from '../record/job-record';
import { eventsQuery, matchesQuery, timelineQuery } from '../record/use-record';
import { EventList } from './event-list';
import { givesTime } from './given-time';
import { wordsOf } from './event-words';
import { FilterBar } from './filter-bar';
import { FirstRows } from './first-rows';
import { timeOf } from './place-of-event';
import type { Clock, ReplaySearch } from './replay-search';
import styles from './replay.module.css';
import { StepPanels, useStep } from './step-panels';
import { parseSearch } from './search-tokens';
import { TransportBar } from './transport-bar';
import { useCursor } from './use-cursor';
import { useKeys } from '../../keys/use-keys';
import { REPLAY_KEYS, REPLAY_LIST } from './key-tables';
import { usePlay } from './use-play';
import { useRuns } from './use-runs';

interface ReplayViewProps {
  readonly record: JobRecord;
  readonly search: ReplaySearch;
  /** Writes the state of the replay into the address. */
  readonly show: (search: ReplaySearch) => void;
  readonly isLive: boolean;
  /** What stands above the cursor, for example whether the record was checked. */
  readonly children?: (cursor: { readonly move: (to: number) => void }) => ReactNode;
}

/** A recorded job that the reader moves through. */
export function ReplayView(props: ReplayViewProps) {
  const timeline = useQuery(timelineQuery(props.record));
  if (timeline.isPending) return <FirstRows record={props.record} search={props.search} />;
  if (timeline.isLoadingError)
    return <ErrorNotice error={timeline.error} retry={() => void timeline.refetch()} />;
  if (timeline.data.version < 0)
    return (
      <>
        {props.children?.({ move: () => undefined })}
        <Message title="This record has no event that can be shown">
          There is nothing to replay.
        </Message>
      </>
    );
  return <Replay {...props} timeline={timeline.data} />;
}

function Replay({
  record,
  search,
  show,
  isLive,
  timeline,
  children,
}: ReplayViewProps & { readonly timeline: Timeline }) {
  const last = timeline.version;
  const { clock = 'utc', q = '' } = search;
  const { conditions, problem } = useMemo(
    () => parseSearch(q, timeline.types),
    [q, timeline.types],
  );
  const runs = useRuns(timeline);
  const latest = useRef(search);
  latest.current = search;
  const cursor = useCursor(search.at, last, (at) => {
    const { at: _at, ...rest } = latest.current;
    show(at === undefined ? rest : { ...rest, at });
  });
  const { at, move } = cursor;
  const step = useStep(record, at);
  const play = usePlay(cursor, last, step.isWaiting);
  const first = useQuery(eventsQuery(record, { from: 0, limit: 1 }));
  const started = first.data?.events[0];
  const start = timeOf(started);
  const found = useQuery({
    ...matchesQuery(record, conditions ?? {}, at, last),
    enabled: conditions !== undefined,
    placeholderData: keepPreviousData,
  });
  const matches = conditions === undefined ? undefined : found.data?.matches;
  const searchField = useRef<HTMLInputElement>(null);
  useKeyList(REPLAY_LIST);
  const stepBy = (by: number): void => move(at + by);
  const client = useQueryClient();
  const toMatch = async (side: 'previous' | 'next'): Promise<void> => {
    if (conditions === undefined) return;
    // The reader may press faster than the answers come, so each step asks from the place of the cursor.
    const page = await client.fetchQuery(matchesQuery(record, conditions, at, last));
    const number = page.matches?.[side] ?? null;
    if (number !== null) move(number);
  };
  useKeys(REPLAY_KEYS, {
    ...{ left: () => stepBy(-1), up: () => stepBy(-1) },
    ...{ right: () => stepBy(1), down: () => stepBy(1) },
    first: () => move(0),
    last: () => move(last),
    play: play.toggle,
    next: () => void toMatch('next'),
    previous: () => void toMatch('previous'),
    search: () => searchField.current?.focus(),
    run: () => runs.toggleAt(at),
  });
  useReadOut(
    step.event?.number === at ? `Event ${at} of ${last}. ${wordsOf(step.event)}` : undefined,
    at,
    cursor.by,
  );
  const setSearch = (next: string): void => {
    const { q: _q, at: _at, ...rest } = search;
    show({
      ...rest,
      ...(search.at === undefined ? {} : { at }),
      ...(next === '' ? {} : { q: next }),
    });
  };
  return (
    <div className={styles.replay}>
      {children?.(cursor)}
      <TransportBar {...{ record, timeline, cursor, play, isLive, clock, start }} />
      <div className={styles.toolbar}>
        <FilterBar
          {...{ problem, matches, searchField }}
          search={q}
          toMatch={(side) => void toMatch(side)}
          show={setSearch}
        />
        <ClockChoice clock={clock} choose={(next) => show(withClock(search, next))} />
        <KeysButton />
      </div>
      {found.isError && <ErrorNotice error={found.error} retry={() => void found.refetch()} />}
      <div className={styles.columns}>
        <EventList
          {...{ record, timeline, conditions, matches, at, move, clock, start }}
          history={runs.rows}
          toggleRun={runs.toggle}
        />
        <StepPanels
          {...{ record, step, start, clock }}
          brokenAt={timeline.broken_at}
          hasGivenTime={givesTime(started)}
        />
      </div>
    </div>
  );
}

const withClock = ({ clock: _clock, ...rest }: ReplaySearch, clock: Clock): ReplaySearch =>
  clock === 'utc' ? rest : { ...rest, clock };

/** Reads the event out after a step of the reader; during play, that would never end. */
function useReadOut(words: string | undefined, at: number, by: 'reader' | 'play'): void {
  const announce = useAnnounce();
  const said = useRef(at);
  useEffect(() => {
    if (words === undefined || said.current === at) return;
    said.current = at;
    if (by === 'reader') announce(words);
  }, [words, at, by, announce]);
}

interface ClockChoiceProps {
  readonly clock: Clock;
  readonly choose: (clock: Clock) => void;
}

const CLOCKS = [
  ['utc', 'UTC'],
  ['local', 'local'],
  ['elapsed', 'since the start'],
] as const;

const ClockChoice = ({ clock, choose }: ClockChoiceProps) => (
  <div className={styles.group} role="group" aria-label="Times">
    <span className={styles.muted}>Times:</span>
    {CLOCKS.map(([value, name]) => (
      <Button key={value} aria-pressed={clock === value} onClick={() => choose(value)}>
        {name}
      </Button>
    ))}
  </div>
);
