import { useState } from 'react';
import type { IntegrityReport } from '#client/index.js';
import { useRead, useChange } from '../data/queries';
import { Answered } from '../ui/answered';
import { Button } from '../ui/button';
import { ErrorNotice } from '../ui/error-notice';
import { Message } from '../ui/message';
import { Row, Section } from '../ui/stack';
import { IntegrityFrame } from './integrity-frame';
import { LogCheck } from './log-check';
import { Findings } from './findings';
import { Progress, Result, resultInWords } from './report';
import { PastRuns } from './past-runs';

const WHILE_RUNNING_MS = 1_000;
/** A verification is not an event of the log; another instance, or the schedule, may start one. */
const OTHERWISE_MS = 5_000;
const FINDINGS = ['integrity', 'findings'];

/** Starts a verification of the log, and shows its progress, its result and its findings. */
export function VerificationPage() {
  const start = useChange(
    (mace, decisions: boolean) => mace.integrity.verify({ decisions, means: 'console' }),
    {
      done: (report) => (report.finished_at === null ? undefined : resultInWords(report)),
      changes: ['integrity'],
    },
  );
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
    {report.found > 0 && <Findings {...report} />}
  </Section>
);
