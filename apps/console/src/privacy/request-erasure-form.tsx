import { useState } from 'react';
import type { ProposeAction } from '#client/index.js';
import { useChange } from '../data/queries';
import { hasRole } from '../session/session';
import { useSession } from '../session/session-provider';
import { Button } from '../ui/button';
import { ErrorNotice } from '../ui/error-notice';
import { SelectField, TextField } from '../ui/field';
import { Form, submitting } from '../ui/form';
import { LongTextField } from '../ui/long-text-field';
import { Message } from '../ui/message';

/** Why an erasure is asked for, as its code. */
export type Reason = NonNullable<ProposeAction['reason_code']>;
export const REASONS: Readonly<Record<Reason, string>> = {
  legal_erasure: 'a legal duty to erase',
  retention: 'the retention period is over',
  other: 'another reason, after the retention period',
};

/** Asks the council for an erasure. Users ask for their own data, admins for that of anybody. */
export function RequestErasureForm() {
  const session = useSession();
  const { userId, sub } = session;
  const own = userId ?? (session.roles.includes('user') ? sub : undefined);
  const [subject, setSubject] = useState(own === undefined ? '' : `user:${own}`);
  const [reason, setReason] = useState<Reason>('legal_erasure');
  const [words, setWords] = useState('');
  const ask = useChange(
    (mace) =>
      mace.actionRequests.propose({
        ...{ kind: 'erasure', subject, reason_code: reason, justification: words },
      }),
    {
      done: 'The erasure is asked for. The council decides on it.',
      changes: ['erasures'],
      onDone: () => setWords(''),
    },
  );
  const submit = submitting(() => ask.mutate());
  if (!hasRole(session, 'admin', 'user', 'agent'))
    return (
      <Message title="Your role asks for no erasures">
        A user asks for the erasure of data about themselves, and an admin for that of anybody.
      </Message>
    );
  return (
    <Form title="Ask for an erasure" onSubmit={submit}>
      <TextField
        label="Whose data"
        hint="user:<id>, sub:<id>, job:<seed> or fact:<key>"
        required
        value={subject}
        onChange={setSubject}
      />
      <SelectField
        label="Reason"
        hint="Before the retention period is over, only a legal duty is accepted."
        value={reason}
        options={Object.entries(REASONS) as [Reason, string][]}
        onChange={setReason}
      />
      <LongTextField
        label="Justification"
        hint="The council reads it. Write no personal data."
        value={words}
        onChange={setWords}
      />
      {ask.isError && <ErrorNotice error={ask.error} />}
      <div>
        <Button kind="primary" type="submit" disabled={ask.isPending}>
          Ask for the erasure
        </Button>
      </div>
    </Form>
  );
}
