import { useState } from 'react';
import type { ActionRequestListing } from '#client/index.js';
import { KeyHint } from '../keys/key-hint';
import { FORM_KEYS } from '../keys/key-table';
import { Button } from '../ui/button';
import { Dialog } from '../ui/dialog';
import { TextArea, SelectField } from '../ui/field';
import { sendByKey, submitting } from '../ui/form';
import { BulkChanges, leftOutWords } from './bulk-changes';
import { useBulkVote } from './bulk-vote';
import { isUndoable } from './decision';
import styles from './requests.module.css';
import { REJECTIONS, type ReasonCode } from './words';

interface ManyProps {
  readonly rows: readonly ActionRequestListing[];
  readonly onClose: () => void;
}

/** Rejects several facts. Other requests are left out, because a vote on them cannot be undone. */
export function RejectManyDialog({ rows, onClose }: ManyProps) {
  const [chosen] = useState(() => rows.filter(isUndoable));
  const [code, setCode] = useState<ReasonCode | ''>('');
  const [reason, setReason] = useState('');
  const [problem, setProblem] = useState<string>();
  const vote = useBulkVote();
  const submit = submitting(() => {
    const rejection = REJECTIONS.find((one) => one.code === code);
    if (rejection === undefined) return setProblem('Choose a reason.');
    const words = reason.trim() || rejection.words.sem_put;
    if (words === '') return setProblem('Say why in your own words.');
    const ballot = { vote: 'reject', reason: words, code: rejection.code } as const;
    vote(chosen, ballot, { reason, code: rejection.code });
    onClose();
  });
  return (
    <Dialog
      title={`Reject ${chosen.length} request${chosen.length === 1 ? '' : 's'}`}
      about={`Each of them gets your vote with this reason.${leftOutWords(rows.length - chosen.length, 'that cannot be undone')}`}
      onClose={onClose}
    >
      <BulkChanges rows={chosen} />
      <form className={styles.form} onSubmit={submit} onKeyDown={sendByKey}>
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
        <div className={styles.actions}>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" kind="danger" disabled={chosen.length === 0}>
            Reject {chosen.length} <KeyHint of={FORM_KEYS.send} />
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
