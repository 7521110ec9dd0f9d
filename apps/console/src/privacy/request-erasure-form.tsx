import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type SubmitEvent, useState } from 'react';
import type { ProposeAction } from '#client/index.js';
import { hasRole } from '../session/session';
import { useMace, useSession } from '../session/session-provider';
import { useAnnounce } from '../ui/announcer';
import { Button } from '../ui/button';
import { ErrorNotice } from '../ui/error-notice';
import { Field } from '../ui/field';
import { Form } from '../ui/form';
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
  const ask = useRequest(() => setWords(''));
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    ask.mutate({ kind: 'erasure', subject, reason_code: reason, justification: words });
  };
  if (!hasRole(session, 'admin', 'user', 'agent'))
    return (
      <Message title="Your role asks for no erasures">
        A user asks for the erasure of the own data, and an admin for that of anybody.
      </Message>
    );
  return (
    <Form title="Ask for an erasure" onSubmit={submit}>
      <Field label="Whose data" hint="user:<id>, sub:<id> or job:<seed>">
        {(field) => (
          <input
            {...field}
            required
            value={subject}
            onChange={(event) => setSubject(event.target.value)}
          />
        )}
      </Field>
      <Field
        label="Reason"
        hint="Before the retention period is over, only a legal duty is accepted."
      >
        {(field) => (
          <select
            {...field}
            value={reason}
            onChange={(event) => setReason(event.target.value as Reason)}
          >
            {Object.entries(REASONS).map(([code, name]) => (
              <option key={code} value={code}>
                {name}
              </option>
            ))}
          </select>
        )}
      </Field>
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

function useRequest(onDone: () => void) {
  const mace = useMace();
  const queries = useQueryClient();
  const announce = useAnnounce();
  return useMutation({
    mutationFn: (proposal: ProposeAction) => mace.actionRequests.propose(proposal),
    onSuccess: async () => {
      onDone();
      announce('The erasure is asked for. The council decides on it.');
      await queries.invalidateQueries({ queryKey: ['erasures'] });
    },
  });
}
