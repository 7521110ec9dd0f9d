import { type SubmitEvent, useState } from 'react';
import type { ActionRequestListing } from '#client/index.js';
import { Button } from '../ui/button';
import { Dialog } from '../ui/dialog';
import { ErrorNotice } from '../ui/error-notice';
import { Field } from '../ui/field';
import { BulkResult } from './bulk-result';
import { useBulkVote } from './bulk-vote';
import styles from './requests.module.css';
import { nameOf } from './words';

interface ManyProps {
  readonly rows: readonly ActionRequestListing[];
  readonly onClose: () => void;
}

/**
 * Approves several requests, after the reviewer has typed how many. Those of high risk are left out, because each of
 * them is to be looked at.
 */
export function ApproveManyDialog({ rows, onClose }: ManyProps) {
  const [chosen] = useState(() =>
    rows.filter(({ risk }) => risk !== null && risk.level !== 'high'),
  );
  const [leftOut] = useState(() => rows.filter((row) => !chosen.includes(row)));
  const [typed, type] = useState('');
  const [reason, setReason] = useState('');
  const [problem, setProblem] = useState<string>();
  const bulk = useBulkVote();
  const confirmation = `approve ${chosen.length}`;
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    if (typed.trim() !== confirmation) return setProblem(`Type ${confirmation}`);
    bulk.mutate({
      rows: chosen,
      vote: 'approve',
      reason: reason.trim() || 'Approved as proposed.',
    });
  };
  if (bulk.data !== undefined)
    return <BulkResult outcome={bulk.data} words="approved" onClose={onClose} />;
  return (
    <Dialog
      title={`Approve ${chosen.length} requests`}
      about={aboutOf(chosen.length, leftOut.length)}
      onClose={onClose}
    >
      <ul className={styles.names}>
        {chosen.map((row) => (
          <li key={row.request_id}>
            <code>{nameOf(row)}</code>
          </li>
        ))}
      </ul>
      <form className={styles.form} onSubmit={submit}>
        <Field label="Why" hint="Left empty: Approved as proposed.">
          {(control) => (
            <textarea
              {...control}
              rows={2}
              value={reason}
              onChange={(event) => setReason(event.target.value)}
            />
          )}
        </Field>
        <Field label={`Type “${confirmation}” to confirm`} problem={problem}>
          {(control) => (
            <input
              {...control}
              autoComplete="off"
              value={typed}
              onChange={(event) => type(event.target.value)}
            />
          )}
        </Field>
        {bulk.error !== null && <ErrorNotice error={bulk.error} />}
        <div className={styles.actions}>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" kind="primary" disabled={chosen.length === 0 || bulk.isPending}>
            Approve
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

function aboutOf(chosen: number, leftOut: number): string {
  const rest =
    leftOut === 0
      ? ''
      : ` ${leftOut} of high risk ${leftOut === 1 ? 'is' : 'are'} left out: open ${leftOut === 1 ? 'it' : 'each of them'}.`;
  return chosen === 0
    ? `None of these can be approved together.${rest}`
    : `Each gets your vote on the words that the queue showed.${rest}`;
}
