import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { isMaceError } from '#client/index.js';
import { Button } from '../../ui/button';
import { ErrorNotice } from '../../ui/error-notice';
import { Loading } from '../../ui/loading';
import { Message } from '../../ui/message';
import { VisibleText } from '../../ui/visible-text';
import type { JobRecord, RecordEvent, ShownState } from '../record/job-record';
import { eventsQuery, NEVER_STALE, stateQuery } from '../record/use-record';
import { difference, type Change, type Verb } from './difference';
import { EventDetail } from './event-detail';
import type { Clock } from './replay-search';
import styles from './replay.module.css';
import { StatePanel } from './state-panel';
import { useState } from 'react';
import { useThrottled } from './use-throttled';
import { Panes } from './panes';

export interface Step {
  /** The event of the step, and the one before it. While new ones are on their way, these are of the last step. */
  readonly event: RecordEvent | undefined;
  readonly before: RecordEvent | undefined;
  /** The states after and before the event, or those of the last step. */
  readonly states:
    { readonly after: ShownState; readonly before: ShownState | undefined } | undefined;
  readonly isWaiting: boolean;
  readonly error: unknown;
  readonly retry: () => void;
}

/** A step is loaded at most this often, in ms, while the reader drags the slider or holds a key. */
const STEP_MS = 80;

/** Loads the event at the cursor, the state after it, and the state before it. */
export function useStep(record: JobRecord, cursor: number): Step {
  const at = useThrottled(cursor, STEP_MS);
  const from = Math.max(0, at - 1);
  const events = useQuery({
    ...eventsQuery(record, { from, limit: at - from + 1 }),
    placeholderData: keepPreviousData,
  });
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
  return {
    event: events.data?.events.at(-1),
    before: events.data?.events.at(-2),
    states: states.data,
    isWaiting:
      at !== cursor || states.isPlaceholderData || states.isPending || events.isPlaceholderData,
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
  /** The first event that is broken; null without one. */
  readonly brokenAt: number | null;
  readonly start: string | undefined;
  readonly clock: Clock;
  readonly hasGivenTime: boolean;
}

/** What happened at the cursor: the event in detail; and the state at this moment with what has changed in it. */
export function StepPanels({ record, step, brokenAt, ...shown }: StepPanelsProps) {
  const { event, before, states, isWaiting, error, retry } = step;
  return (
    <Panes
      isBusy={isWaiting}
      event={event !== undefined && <EventDetail {...{ record, event, before, ...shown }} />}
      state={
        <>
          {error !== undefined && <NoState {...{ error, retry, brokenAt }} />}
          {error === undefined && states === undefined && <Loading what="the state" />}
          {error === undefined && states !== undefined && (
            <>
              <DifferenceList changes={difference(states.before, states.after)} />
              <StatePanel record={record} state={states.after} />
            </>
          )}
        </>
      }
    />
  );
}

type NoStateProps = Pick<Step, 'error' | 'retry'> & Pick<StepPanelsProps, 'brokenAt'>;

/** Why there is no state. That a bundle is broken is a finding, which another try does not change. */
const NoState = ({ error, retry, brokenAt }: NoStateProps) =>
  brokenAt === null || isMaceError(error) ? (
    <ErrorNotice error={error} retry={retry} />
  ) : (
    <Message kind="bad" title={`✗ No state is shown from event ${brokenAt} on`}>
      The record is broken there, so nobody knows what the memory was.
    </Message>
  );

const SIGNS: Readonly<Record<Verb, string>> = { came: '+', changed: '~', left: '−' };
const FIRST_ROWS = 12;
const MAX_VALUE = 500;

function DifferenceList({ changes }: { readonly changes: readonly Change[] }) {
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? changes : changes.slice(0, FIRST_ROWS);
  return (
    <section className={styles.panel} aria-labelledby="difference">
      <h2 id="difference">Difference to the step before</h2>
      {changes.length === 0 && (
        <p className={styles.muted}>The event changed nothing in the state.</p>
      )}
      <ul className={styles.changes}>
        {shown.map(({ verb, what, value }) => (
          <li key={`${verb} ${what}`} data-verb={verb}>
            <span className={styles.verb}>
              <span aria-hidden>{SIGNS[verb]}</span> {verb}
            </span>
            <span>
              {what}
              {value !== undefined && (
                <>
                  : <VisibleText text={value.slice(0, MAX_VALUE)} />
                </>
              )}
            </span>
          </li>
        ))}
      </ul>
      {changes.length > FIRST_ROWS && (
        <Button kind="quiet" onClick={() => setWhole(!isWhole)}>
          {isWhole ? 'Show fewer' : `Show all ${changes.length} changes`}
        </Button>
      )}
    </section>
  );
}
