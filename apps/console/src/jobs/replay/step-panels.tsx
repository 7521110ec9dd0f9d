import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { ErrorNotice } from '../../ui/error-notice';
import { Loading } from '../../ui/loading';
import type { JobRecord, RecordEvent, ShownState } from '../record/job-record';
import { eventsQuery, NEVER_STALE, stateQuery } from '../record/use-record';
import { difference } from './difference';
import { DifferenceList } from './difference-list';
import { EventDetail } from './event-detail';
import type { Clock } from './replay-search';
import styles from './replay.module.css';
import { StatePanel } from './state-panel';

export interface Step {
  /** The event at the cursor; undefined while it is on its way. */
  readonly event: RecordEvent | undefined;
  readonly before: RecordEvent | undefined;
  /** The states after and before the event; those of the last step while the new ones are on their way. */
  readonly states:
    { readonly after: ShownState; readonly before: ShownState | undefined } | undefined;
  readonly isWaiting: boolean;
  readonly error: unknown;
  readonly retry: () => void;
}

/** Loads the event at the cursor, the state after it, and the state before it. */
export function useStep(record: JobRecord, at: number): Step {
  const from = Math.max(0, at - 1);
  const events = useQuery(eventsQuery(record, { from, limit: at - from + 1 }));
  const states = useQuery({
    queryKey: [record.id, 'step', at],
    queryFn: async ({ client }) => {
      const [after, before] = await Promise.all([
        client.ensureQueryData(stateQuery(record, at)),
        at === 0 ? undefined : client.ensureQueryData(stateQuery(record, at - 1)),
      ]);
      return { after, before };
    },
    ...NEVER_STALE,
    placeholderData: keepPreviousData,
  });
  const found = events.data?.events ?? [];
  return {
    event: found.find(({ number }) => number === at),
    before: found.find(({ number }) => number === at - 1),
    states: states.data,
    isWaiting: states.isPlaceholderData || states.isPending || events.isPending,
    error: states.error ?? events.error ?? undefined,
    retry: () => {
      void states.refetch();
      void events.refetch();
    },
  };
}

interface StepPanelsProps {
  readonly record: JobRecord;
  readonly step: Step;
  readonly start: string | undefined;
  readonly clock: Clock;
}

/** What happened at the cursor: the difference, the event, and the state. */
export function StepPanels({ record, step, start, clock }: StepPanelsProps) {
  const { event, before, states, isWaiting, error, retry } = step;
  return (
    <div className={styles.step} aria-busy={isWaiting}>
      {error !== undefined && <ErrorNotice error={error} retry={retry} />}
      {error === undefined && states === undefined && <Loading what="the state" />}
      {error === undefined && states !== undefined && (
        <DifferenceList changes={difference(states.before, states.after)} />
      )}
      {error === undefined && states !== undefined && (
        <StatePanel record={record} state={states.after} />
      )}
      {event !== undefined && <EventDetail {...{ record, event, before, start, clock }} />}
    </div>
  );
}
