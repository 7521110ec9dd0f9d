import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { UnredactedRead } from '../../privacy/unredacted-read';
import { Badge } from '../../ui/badge';
import { Button } from '../../ui/button';
import { ErrorNotice } from '../../ui/error-notice';
import { JsonView } from '../../ui/json-view';
import { Loading } from '../../ui/loading';
import { VisibleText } from '../../ui/visible-text';
import type {
  JobRecord,
  RecordEvent,
  RecordedCwmItem,
  ShownState,
  RecordedWmEntry,
} from '../record/job-record';
import { eventsQuery } from '../record/use-record';
import { WhyLink } from '../../why/why-link';
import { Knew } from './knew';
import { valueText, wordsOf } from './event-words';
import styles from './replay.module.css';

const FIRST_ROWS = 20;
const MAX_VALUE = 2_000;
const EPISODE_TYPES = 'episode_written,episode_consolidated,episodic_summary';

interface StatePanelProps {
  readonly record: JobRecord;
  readonly state: ShownState;
}

/** The job after the event at the cursor: goal, working memory, consolidated memory, episodes and query. */
export function StatePanel({ record, state }: StatePanelProps) {
  const { wm, cwm, query } = state;
  return (
    <section className={styles.panel} aria-labelledby="state">
      <h2 id="state">
        State after event {state.version.toLocaleString('en')}{' '}
        <Badge kind={state.status === 'running' ? 'good' : 'plain'}>{state.status}</Badge>
      </h2>
      <p>
        <span className={styles.term}>Goal</span>{' '}
        {cwm.topic === '' ? 'none' : <VisibleText text={cwm.topic} />}
      </p>
      <Unredacted record={record} state={state} />
      <Entries
        title={`Working memory · ${wm.length.toLocaleString('en')}`}
        empty="Working memory is empty."
        entries={wm.map((entry: RecordedWmEntry) => ({ ...entry, id: entry.wm_id }))}
      />
      <Entries
        title={`Consolidated memory · ${cwm.items.length.toLocaleString('en')} · ${cwm.token_estimate.toLocaleString('en')} tokens`}
        empty="Consolidated memory is empty."
        entries={cwm.items.map((item: RecordedCwmItem) => ({ ...item, id: item.cwm_id_item }))}
      />
      <Episodes record={record} state={state} />
      {record.service !== undefined && <Knew seed={record.service.seed} version={state.version} />}
      <h3>Query</h3>
      {query === null ? (
        <p className={styles.muted}>This job has asked no question so far.</p>
      ) : (
        <JsonView label="Query" value={query} />
      )}
    </section>
  );
}

/** The way to the personal data of the entries; a bundle has none (SPEC G7). */
function Unredacted({ record: { id, service }, state: { version, wm, cwm } }: StatePanelProps) {
  if (service?.unredactedAfter === undefined) return null;
  const { seed, unredactedAfter: read } = service;
  return (
    <UnredactedRead
      key={`${id} ${version}`}
      what={`job ${seed} after event ${version}`}
      redacted={[wm, cwm.items]}
      stream={`job-${seed}`}
      read={(options) => read(version, options)}
    />
  );
}

type ShownEntry = (RecordedWmEntry | RecordedCwmItem) & { readonly id: string };

interface EntriesProps {
  readonly title: string;
  readonly empty: string;
  readonly entries: readonly ShownEntry[];
}

function Entries({ title, empty, entries }: EntriesProps) {
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? entries : entries.slice(0, FIRST_ROWS);
  return (
    <>
      <h3>{title}</h3>
      {entries.length === 0 ? (
        <p className={styles.muted}>{empty}</p>
      ) : (
        <ul className={styles.entries}>
          {shown.map((entry) => (
            <li key={entry.id}>
              <span className={styles.value}>
                <VisibleText text={valueText(entry).slice(0, MAX_VALUE)} />
              </span>
              <span className={styles.muted}>
                {entry.type} · <code>{entry.id}</code> · {entry.ttl_ticks}{' '}
                {entry.ttl_ticks === 1 ? 'tick' : 'ticks'} left · {entry.references}{' '}
                {entry.references === 1 ? 'reference' : 'references'}
              </span>
            </li>
          ))}
        </ul>
      )}
      {entries.length > FIRST_ROWS && (
        <Button kind="quiet" onClick={() => setWhole(!isWhole)}>
          {isWhole ? 'Show fewer' : `Show all ${entries.length.toLocaleString('en')}`}
        </Button>
      )}
    </>
  );
}

function WhyOfEpisode({ event: { data } }: { readonly event: RecordEvent }) {
  const id = data['episodic_id'];
  return (
    typeof id === 'string' && (
      <>
        {' · '}
        <WhyLink kind="episode" id={id} />
      </>
    )
  );
}

function Episodes({ record, state }: StatePanelProps) {
  const { episodes } = state;
  const skip = Math.max(0, episodes - FIRST_ROWS);
  const asked = { types: EPISODE_TYPES, skip, limit: Math.max(1, Math.min(FIRST_ROWS, episodes)) };
  const list = useQuery({ ...eventsQuery(record, asked), enabled: episodes > 0 });
  return (
    <>
      <h3>Episodes · {episodes.toLocaleString('en')}</h3>
      {episodes === 0 && <p className={styles.muted}>The job has written no episode so far.</p>}
      {episodes > 0 && list.isPending && <Loading what="the episodes" />}
      {list.isError && <ErrorNotice error={list.error} retry={() => void list.refetch()} />}
      <ul className={styles.entries}>
        {(episodes === 0 ? [] : (list.data?.events ?? [])).map((event) => (
          <li key={event.number}>
            <VisibleText text={wordsOf(event).slice(0, MAX_VALUE)} />
            <span className={styles.muted}>
              event {event.number}
              {record.service !== undefined && <WhyOfEpisode event={event} />}
            </span>
          </li>
        ))}
      </ul>
      {skip > 0 && <p className={styles.muted}>These are the last {FIRST_ROWS}.</p>}
    </>
  );
}
