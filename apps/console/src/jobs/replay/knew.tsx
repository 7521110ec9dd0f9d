import { useState } from 'react';
import type { JobKnew } from '#client/index.js';
import { usePages, useRead } from '../../data/queries';
import { FactLink } from '../../sem/fact-link';
import { hasRole } from '../../session/session';
import { useSession } from '../../session/session-provider';
import { Answered } from '../../ui/answered';
import { Approval } from '../../ui/approval';
import { Button } from '../../ui/button';
import { MoreButton } from '../../ui/more-button';
import { lineOf } from '../../ui/value-text';
import { VisibleText } from '../../ui/visible-text';
import styles from './replay.module.css';

const MAX_VALUE = 500;

interface KnewProps {
  readonly seed: string;
  /** The event at the cursor. */
  readonly version: number;
}

/** What the job had read after the event at the cursor, and what it could have read; asked for when it is opened. */
export function Knew({ seed, version }: KnewProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <h3>What it knew beside its memory</h3>
      <Button aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {isOpen ? 'Hide what it had read' : 'Show what it had read'}
      </Button>
      {isOpen && <Read {...{ seed, version }} />}
    </>
  );
}

function Read({ seed, version }: KnewProps) {
  const mayList = hasRole(useSession(), 'auditor', 'admin');
  const knew = useRead(['knew', seed, version], (mace, call) =>
    mace.job(seed).knew({ version, limit: 200 }, call),
  );
  return (
    <Answered query={knew} what="what the job had read">
      {(found) => (
        <>
          {found.read.length === 0 ? (
            <p className={styles.muted}>
              No read is recorded: a read is recorded if it names the job, by <code>job_seed</code>{' '}
              or <code>record_in</code>.
            </p>
          ) : (
            <ul className={styles.entries} aria-label="What it had read">
              {found.read.map((one) => (
                <li key={one.id}>
                  <ThingRead of={one} />
                </li>
              ))}
            </ul>
          )}
          {found.next_cursor !== null && (
            <p className={styles.muted}>These are the first 200; mace at has all of them.</p>
          )}
          {mayList && <CouldRead of={found} />}
        </>
      )}
    </Answered>
  );
}

type Thing = JobKnew['read'][number];

function ThingRead({ of: { id, fact, times, last } }: { readonly of: Thing }) {
  return (
    <>
      <span className={styles.value}>
        {fact === null ? (
          <VisibleText text={id} />
        ) : (
          <FactLink of={id} at={{ version: fact.version }} />
        )}
        {fact !== null && (
          <>
            {' = '}
            <VisibleText text={lineOf(fact.value).slice(0, MAX_VALUE)} />
          </>
        )}
      </span>
      <span className={styles.muted}>
        {fact !== null && `version ${fact.version} · `}
        {HOW[last.kind]} at tick {last.tick}
        {times > 1 && ` · ${times} times`}
        {fact?.approved_by !== undefined && (
          <>
            {' · approved by '}
            <Approval by={fact.approved_by} />
          </>
        )}
      </span>
    </>
  );
}

const HOW: Readonly<Record<Thing['last']['kind'], string>> = {
  sem_get: 'read',
  episodes_query: 'found among episodes',
  wm_find: 'found in WM',
  cwm_find: 'found in the CWM',
  search: 'found by a search',
};

/** The facts of the job's snapshot: all but those of other users. */
function CouldRead({ of: { job, user_id } }: { readonly of: JobKnew }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button kind="quiet" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {isOpen ? 'Hide what it could have read' : 'Show what it could have read'}
      </Button>
      {isOpen && <SnapshotFacts id={job.snapshots.sem_snapshot_id} user_id={user_id} />}
    </>
  );
}

interface SnapshotFactsProps {
  readonly id: string;
  readonly user_id: string | null;
}

function SnapshotFacts({ id, user_id }: SnapshotFactsProps) {
  const facts = usePages(['could-read', id, user_id], (mace, { cursor }, call) =>
    mace.sem.snapshot(id, cursor, { ...(user_id === null ? {} : { user_id }), ...call }),
  );
  return (
    <Answered query={facts} what="the facts of the snapshot">
      {({ pages }) => {
        const listed = pages.flatMap((page) => page.facts);
        const readable = listed.filter(({ key }) => user_id !== null || !key.startsWith('user/'));
        return (
          <>
            <ul className={styles.entries} aria-label="What it could have read">
              {readable.map(({ key, value }) => (
                <li key={key}>
                  <FactLink of={key} at={{ snapshot: id }} />
                  {' = '}
                  <VisibleText text={lineOf(value).slice(0, MAX_VALUE)} />
                </li>
              ))}
            </ul>
            {readable.length === 0 && (
              <p className={styles.muted}>Its snapshot had no fact that it could read.</p>
            )}
            <MoreButton list={facts} />
          </>
        );
      }}
    </Answered>
  );
}
