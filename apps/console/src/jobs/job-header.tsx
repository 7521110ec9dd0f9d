import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useEffect } from 'react';
import { isPosition } from '#domain/position.js';
import { Badge } from '../ui/badge';
import { useTimePassing } from '../ui/use-time-passing';
import { VisibleText } from '../ui/visible-text';
import { durationWords } from './duration-words';
import styles from './job-header.module.css';
import type { JobRecord, Timeline } from './record/job-record';
import { eventsQuery } from './record/use-record';
import { timeOf } from './replay/place-of-event';
import { hasEnded } from './use-follow';

interface JobHeaderProps {
  readonly seed: string;
  readonly record: JobRecord;
  /** Undefined until it is read. */
  readonly timeline: Timeline | undefined;
  /** The moment of the past that the page shows. */
  readonly at: string | undefined;
  /** The verdict and the actions. */
  readonly children?: ReactNode;
}

/** One line about the job: its seed, status, goal, owner, session and duration. */
export function JobHeader({ seed, record, timeline, at, children }: JobHeaderProps) {
  useEffect(() => {
    document.title = `Job ${seed} · MACE Memory`;
  }, [seed]);
  return (
    <header className={styles.header}>
      <h1 className={styles.seed} title={`Job ${seed}`}>
        Job {seed}
      </h1>
      {timeline !== undefined && <About {...{ record, timeline, at }} />}
      <div className={styles.actions}>{children}</div>
    </header>
  );
}

interface Started {
  readonly goal?: string | null;
  readonly owner?: { readonly sub?: string };
  readonly session_id?: string | null;
}

type AboutProps = Pick<JobHeaderProps, 'record' | 'at'> & { readonly timeline: Timeline };

function About({ record, timeline, at }: AboutProps) {
  const isEnded = hasEnded(timeline);
  const first = useQuery(eventsQuery(record, { from: 0, limit: 1 })).data?.events[0];
  const goal = (first?.data as Started | undefined)?.goal ?? 'A job without a goal';
  const { owner, session_id: session } = (first?.data ?? {}) as Started;
  const start = timeOf(first);
  return (
    <>
      <Badge kind={isEnded ? 'plain' : 'good'}>{isEnded ? 'ended' : 'running'}</Badge>
      {first !== undefined && (
        <p className={styles.about}>
          <span className={styles.goal} title={goal}>
            <VisibleText text={goal} />
          </span>
          <span className={styles.fact} title={`Started by ${owner?.sub ?? 'nobody'}`}>
            <span className="visually-hidden">started by </span>
            <VisibleText text={owner?.sub ?? 'nobody'} />
          </span>
          {typeof session === 'string' && (
            <span className={styles.fact} title={`Session ${session}`}>
              in{' '}
              <Link to="/jobs" search={{ session }}>
                {session}
              </Link>
            </span>
          )}
          {start !== undefined &&
            (isEnded ? (
              <Took record={record} start={start} last={timeline.version} />
            ) : (
              !(at !== undefined && isPosition(at)) && <SoFar start={start} at={at} />
            ))}
        </p>
      )}
    </>
  );
}

interface TookProps {
  readonly record: JobRecord;
  readonly start: string;
  /** The number of the job's last event. */
  readonly last: number;
}

function Took({ record, start, last }: TookProps) {
  const end = timeOf(useQuery(eventsQuery(record, { from: last, limit: 1 })).data?.events[0]);
  if (end === undefined) return null;
  return (
    <span className={styles.duration} title={`From ${start} to ${end}`}>
      took {durationWords(Date.parse(end) - Date.parse(start))}
    </span>
  );
}

function SoFar({ start, at }: { readonly start: string; readonly at: string | undefined }) {
  useTimePassing();
  const now = at === undefined ? Date.now() : Date.parse(at);
  return (
    <span className={styles.duration} title={`Since ${start}`}>
      {durationWords(now - Date.parse(start))} so far
    </span>
  );
}
