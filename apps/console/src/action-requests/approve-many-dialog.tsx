import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { ActionRequestListing } from '#client/index.js';
import { isShownInFull } from '../changes/shown-changes';
import { useMace } from '../session/session-provider';
import { KeyHint } from '../keys/key-hint';
import { FORM_KEYS } from '../keys/key-table';
import { Button } from '../ui/button';
import { Dialog } from '../ui/dialog';
import { TextField, TextArea } from '../ui/field';
import { sendByKey, submitting } from '../ui/form';
import { Message } from '../ui/message';
import { BulkChanges, leftOutWords } from './bulk-changes';
import { useBulkVote } from './bulk-vote';
import { isUndoable } from './decision';
import { recheckAll } from './recheck-batch';
import { recheckWords } from './recheck-marks';
import styles from './requests.module.css';
import { changesOf } from './target';
import { nameOf } from './words';

interface ManyProps {
  readonly rows: readonly ActionRequestListing[];
  readonly onClose: () => void;
}

/**
 * Approves several requests, after the reviewer has typed how many. Those of high risk and those that it cannot show in
 * full are left out, because each of them is to be looked at. Those whose approval would be refused now are named before.
 */
export function ApproveManyDialog({ rows, onClose }: ManyProps) {
  const [chosen, choose] = useState(() => rows.filter((row) => whyLeftOut(row) === undefined));
  const [leftOut] = useState(() => leftOutOf(rows));
  const check = useRecheckOf(chosen);
  const refused = chosen.filter(({ request_id }) => check.refused.has(request_id));
  const unanswered = chosen.filter(({ awaits_answer }) => awaits_answer);
  const [typed, type] = useState('');
  const [reason, setReason] = useState('');
  const [problem, setProblem] = useState<string>();
  const vote = useBulkVote();
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (check.state !== 'checking') form.current?.querySelector('textarea')?.focus();
  }, [check.state]);
  const leaveOut = (out: readonly ActionRequestListing[]): void =>
    choose(chosen.filter((row) => !out.includes(row)));
  const confirmation = `approve ${chosen.length}`;
  const submit = submitting(() => {
    if (typed.trim() !== confirmation) return setProblem(`Type ${confirmation}`);
    vote(chosen, { vote: 'approve', reason: reason.trim() || 'Approved as proposed.' }, { reason });
    onClose();
  });
  return (
    <Dialog
      title={`Approve ${chosen.length} request${chosen.length === 1 ? '' : 's'}`}
      about={aboutOf(chosen.length, leftOut)}
      onClose={onClose}
    >
      <BulkChanges rows={chosen} />
      <div role="status">
        {check.state === 'checking' && <p>They are checked again …</p>}
        {check.state === 'failed' && (
          <Message title="They could not be checked again" kind="warning">
            <p>Some of them may be refused.</p>
          </Message>
        )}
        {refused.length > 0 && (
          <Message title={`${refused.length} of them would be refused now`} kind="warning">
            <ul className={styles.names}>
              {refused.map((row) => (
                <li key={row.request_id}>
                  <code>{nameOf(row)}</code>: {check.refused.get(row.request_id)}
                </li>
              ))}
            </ul>
            <LeaveOut rows={refused} leaveOut={leaveOut} />
          </Message>
        )}
      </div>
      {unanswered.length > 0 && (
        <Message title="A question to the proposer is not answered yet" kind="warning">
          <ul className={styles.names}>
            {unanswered.map((row) => (
              <li key={row.request_id}>
                <code>{nameOf(row)}</code>
              </li>
            ))}
          </ul>
          <LeaveOut rows={unanswered} leaveOut={leaveOut} />
        </Message>
      )}
      <form
        ref={form}
        className={styles.form}
        onSubmit={submit}
        onKeyDown={sendByKey}
        hidden={check.state === 'checking'}
      >
        <TextArea
          label="In your words"
          hint="Left empty: Approved as proposed."
          rows={2}
          value={reason}
          onChange={setReason}
        />
        <TextField
          label={`Type “${confirmation}” to confirm`}
          problem={problem}
          autoComplete="off"
          value={typed}
          onChange={type}
        />
        <div className={styles.actions}>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" kind="primary" disabled={chosen.length === 0}>
            Approve <KeyHint of={FORM_KEYS.send} />
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

interface LeaveOutProps {
  readonly rows: readonly ActionRequestListing[];
  readonly leaveOut: (rows: readonly ActionRequestListing[]) => void;
}

const LeaveOut = ({ rows, leaveOut }: LeaveOutProps) => (
  <Button onClick={() => leaveOut(rows)}>Leave {rows.length === 1 ? 'it' : 'them'} out</Button>
);

interface RecheckOfMany {
  readonly state: 'checking' | 'checked' | 'failed';
  /** Why an approval would be refused now, by the request's id. */
  readonly refused: ReadonlyMap<string, string>;
}

function useRecheckOf(rows: readonly ActionRequestListing[]): RecheckOfMany {
  const mace = useMace();
  const [ids] = useState(() => rows.map(({ request_id }) => request_id));
  const { data, isError } = useQuery({
    queryKey: ['requests', 'recheck-many', ids],
    queryFn: () => recheckAll(mace, ids),
    ...{ staleTime: 0, gcTime: 0 },
  });
  const refused = (data ?? []).filter(({ would_be_refused }) => would_be_refused);
  return {
    state: isError ? 'failed' : data === undefined ? 'checking' : 'checked',
    refused: new Map(refused.map((one) => [one.request_id, recheckWords(one)])),
  };
}

const REASONS = ['that cannot be undone', 'of high risk', 'too long to be shown here'] as const;

function whyLeftOut(row: ActionRequestListing): (typeof REASONS)[number] | undefined {
  if (!isUndoable(row)) return 'that cannot be undone';
  if (row.risk === null || row.risk.level === 'high') return 'of high risk';
  return isShownInFull(changesOf(row)) ? undefined : 'too long to be shown here';
}

/** Says of which requests how many are left out. */
const leftOutOf = (rows: readonly ActionRequestListing[]): string =>
  REASONS.map((reason) =>
    leftOutWords(rows.filter((row) => whyLeftOut(row) === reason).length, reason),
  ).join('');

const aboutOf = (chosen: number, leftOut: string): string =>
  chosen === 0
    ? `None of these can be approved together.${leftOut}`
    : `Each gets your vote on the words that the queue showed.${leftOut}`;
