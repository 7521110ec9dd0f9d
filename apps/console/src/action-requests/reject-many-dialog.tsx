import { useState } from 'react';
import type { ActionRequestListing } from '#client/index.js';
import { Button } from '../ui/button';
import { Dialog } from '../ui/dialog';
import { ErrorNotice } from '../ui/error-notice';
import { TextArea, SelectField } from '../ui/field';
import { submitting } from '../ui/form';
import { BulkResult } from './bulk-result';
import { useBulkVote } from './bulk-vote';
import styles from './requests.module.css';
import { REJECTIONS, type ReasonCode } from './words';

interface ManyProps {
  readonly rows: readonly ActionRequestListing[];
  readonly onClose: () => void;
}

export function RejectManyDialog({ rows, onClose }: ManyProps) {
  const [chosen] = useState(rows);
  const [code, setCode] = useState<ReasonCode | ''>('');
  const [reason, setReason] = useState('');
  const [problem, setProblem] = useState<string>();
  const bulk = useBulkVote();
  const submit = submitting(() => {
    const rejection = REJECTIONS.find((one) => one.code === code);
    if (rejection === undefined) return setProblem('Choose a reason.');
    const words = reason.trim() || rejection.words;
    if (words === '') return setProblem('Say why in your own words.');
    bulk.mutate({ rows: chosen, vote: 'reject', reason: words, code: rejection.code });
  });
  if (bulk.data !== undefined)
    return <BulkResult outcome={bulk.data} words="rejected" onClose={onClose} />;
  return (
    <Dialog
      title={`Reject ${chosen.length} request${chosen.length === 1 ? '' : 's'}`}
      about="Each of them gets your vote with this reason."
      onClose={onClose}
    >
      <form className={styles.form} onSubmit={submit}>
        <SelectField
          label="Reason"
          problem={problem}
          value={code}
          options={[['', 'Choose …'], ...REJECTIONS.map((one) => [one.code, one.label] as const)]}
          onChange={setCode}
        />
        <TextArea
          label="In your words"
          hint="Left empty, the reason above stands in full."
          rows={3}
          value={reason}
          onChange={setReason}
        />
        {bulk.error !== null && <ErrorNotice error={bulk.error} />}
        <div className={styles.actions}>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" kind="danger" disabled={bulk.isPending}>
            Reject {chosen.length}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
