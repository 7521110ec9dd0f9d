import { useState } from 'react';
import { KeyHint } from '../keys/key-hint';
import { FORM_KEYS } from '../keys/key-table';
import { Button } from '../ui/button';
import { Dialog } from '../ui/dialog';
import { ErrorNotice } from '../ui/error-notice';
import { TextArea } from '../ui/field';
import { sendByKey, submitting } from '../ui/form';
import { Row, Stack } from '../ui/stack';

/** The longest reason that the service takes, in characters. */
const MAX_REASON = 512;

interface ReasonDialogProps {
  readonly what: string;
  /** Reads it for this reason. */
  readonly ask: (reason: string) => Promise<void>;
  readonly onClose: () => void;
}

/** Says what an unredacted read means, and asks why it has to be. */
export function ReasonDialog({ what, ask, onClose }: ReasonDialogProps) {
  const [reason, setReason] = useState('');
  const [problem, setProblem] = useState<string>();
  const [isReading, setReading] = useState(false);
  const [error, setError] = useState<unknown>();
  const submit = submitting(() => {
    if (isReading) return;
    if (reason.trim() === '') return setProblem('Say why you have to read it.');
    setProblem(undefined);
    setError(undefined);
    setReading(true);
    void ask(reason.trim())
      .catch(setError)
      .finally(() => setReading(false));
  });
  return (
    <Dialog
      title="Read it unredacted?"
      about={`You will see the personal data in ${what}. The log first records, for good, that you read it, when, and why. Auditors, admins, the council and its owner can see this record.`}
      onClose={onClose}
    >
      <form onSubmit={submit} onKeyDown={sendByKey} noValidate>
        <Stack>
          <TextArea
            label="Why you read it"
            hint="Name the case and not the person: personal data in your reason is removed."
            problem={problem}
            rows={3}
            required
            maxLength={MAX_REASON}
            value={reason}
            onChange={setReason}
          />
          {error !== undefined && <ErrorNotice error={error} />}
          <Row>
            <Button kind="primary" type="submit" aria-disabled={isReading}>
              {isReading ? 'Reading …' : 'Record and read'} <KeyHint of={FORM_KEYS.send} />
            </Button>
            <Button onClick={onClose}>Do not read it</Button>
          </Row>
        </Stack>
      </form>
    </Dialog>
  );
}
