import { useState } from 'react';
import type { IntegrityReport } from '#client/index.js';
import type { IntegrityFinding } from '#client/index.js';
import { useRead, useChange } from '../data/queries';
import { Answered } from '../ui/answered';
import { Button } from '../ui/button';
import { type Column, DataTable } from '../ui/data-table';
import { ErrorNotice } from '../ui/error-notice';
import { Message } from '../ui/message';
import { Row, Section } from '../ui/stack';
import { VisibleText } from '../ui/visible-text';
import { IntegrityFrame } from './integrity-frame';
import { LogCheck } from './log-check';
import { Progress, Result, resultInWords, counted } from './report';
import { PastRuns } from './past-runs';
import { Link } from '@tanstack/react-router';

const WHILE_RUNNING_MS = 1_000;
/** A verification is not an event of the log; another instance, or the schedule, may start one. */
const OTHERWISE_MS = 5_000;
const FINDINGS = ['integrity', 'findings'];

/** Starts a verification of the log, and shows its progress, its result and its findings. */
export function VerificationPage() {
  const start = useChange((mace, decisions: boolean) => mace.integrity.verify({ decisions }), {
    done: (report) => (report.finished_at === null ? undefined : resultInWords(report)),
    changes: ['integrity'],
  });
  const findings = useRead(FINDINGS, (mace, call) => mace.integrity.findings(call), {
    refetchInterval: ({ state }) =>
      start.isPending || state.data?.running ? WHILE_RUNNING_MS : OTHERWISE_MS,
  });
  return (
    <IntegrityFrame
      title="Verification of the log"
      about="Reads every event again: its number, its hash, its id, and the rows that show it."
    >
      <StartForm
        isRunning={start.isPending || Boolean(findings.data?.running)}
        onStart={(decisions) => start.mutate(decisions)}
      />
      {start.isError && <ErrorNotice error={start.error} />}
      <Answered query={findings} what="the last verification">
        {({ last, running }) => (
          <>
            {running !== null && <Progress report={running} expected={last?.events ?? 0} />}
            {last === null ? <NeverVerified /> : <LastResult report={last} />}
          </>
        )}
      </Answered>
      <PastRuns last={findings.data?.last?.finished_at} />
      <LogCheck />
    </IntegrityFrame>
  );
}

interface StartFormProps {
  readonly isRunning: boolean;
  readonly onStart: (decisions: boolean) => void;
}

function StartForm({ isRunning, onStart }: StartFormProps) {
  const [decisions, setDecisions] = useState(false);
  return (
    <Row>
      <Button kind="primary" disabled={isRunning} onClick={() => onStart(decisions)}>
        {isRunning ? 'The verification runs' : 'Verify the log now'}
      </Button>
      <label>
        <input
          type="checkbox"
          checked={decisions}
          onChange={(event) => setDecisions(event.target.checked)}
        />{' '}
        Decide every stream again as well, which takes longer
      </label>
    </Row>
  );
}

const NeverVerified = () => (
  <Message title="This log was not verified yet" kind="warning">
    Start a verification. Until then nothing says whether the log is intact.
  </Message>
);

const LastResult = ({ report }: { readonly report: IntegrityReport }) => (
  <Section title="Last verification">
    <Result report={report} />
    {report.found > 0 && <Findings report={report} />}
  </Section>
);

const PROBLEMS: Readonly<Record<IntegrityFinding['problem'], string>> = {
  missing: 'An event is missing before this one',
  repeated: 'The number of the event occurs twice',
  wrong_hash: 'The event does not fit the hash chain: its content or its place was changed',
  wrong_event_id: 'The id of the event is not the one that its place gives',
  wrong_appended_id: 'The id under which the event was appended is not its own',
  unknown_category: 'No rule of this release knows the stream',
  unknown_type: 'No rule of this release knows the type of the event',
  unreadable: 'The event cannot be read',
  diverged: 'A replay of the decisions gives another event',
};

const COLUMNS: readonly Column<IntegrityFinding>[] = [
  { name: 'Stream', cell: ({ stream }) => <StreamLink stream={stream} /> },
  { name: 'Event', cell: ({ number }) => number, isNumber: true },
  { name: 'Problem', cell: ({ problem }) => PROBLEMS[problem] },
];

const JOB = 'job-';

/** The name of a stream; that of a job leads to the job. */
const StreamLink = ({ stream }: { readonly stream: string }) =>
  stream.startsWith(JOB) ? (
    <Link to="/jobs/$seed" params={{ seed: stream.slice(JOB.length) }}>
      <VisibleText text={stream} />
    </Link>
  ) : (
    <VisibleText text={stream} />
  );

/** What the last verification has found, each with its stream and event. */
const Findings = ({ report: { findings, found } }: { readonly report: IntegrityReport }) => (
  <>
    <DataTable
      label="Findings"
      columns={COLUMNS}
      rows={findings}
      keyOf={({ stream, number, problem }) => `${stream} ${number} ${problem}`}
      empty={null}
    />
    {found > findings.length && (
      <p>
        The report lists {counted(findings.length, 'finding')} of {counted(found, 'finding')}.
      </p>
    )}
  </>
);
