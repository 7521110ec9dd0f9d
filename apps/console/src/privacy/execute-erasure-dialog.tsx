import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { requestOptions } from '../action-requests/requests-data';
import { useMace } from '../session/session-provider';
import { useAnnounce } from '../ui/announcer';
import { Answered } from '../ui/answered';
import { Button } from '../ui/button';
import { Dialog } from '../ui/dialog';
import { ErrorNotice } from '../ui/error-notice';
import { TextField } from '../ui/field';
import { submitting } from '../ui/form';
import { Row, Section, Stack } from '../ui/stack';
import { VisibleText } from '../ui/visible-text';
import type { Erasure } from './erasure';
import { Receipt } from './receipt';

interface ExecuteErasureDialogProps {
  readonly erasure: Pick<Erasure, 'id' | 'subject'>;
  readonly onClose: () => void;
}

/** Executes an erasure once the admin has typed its subject. */
export function ExecuteErasureDialog({ erasure, onClose }: ExecuteErasureDialogProps) {
  const { id, subject } = erasure;
  const [typed, setTyped] = useState('');
  const execute = useExecution(id, subject);
  const submit = submitting(() => {
    if (typed === subject) execute.mutate();
  });
  if (execute.data !== undefined)
    return (
      <Dialog title="The keys are destroyed" about="This receipt proves it." onClose={onClose}>
        <Receipt receipt={execute.data} onClose={onClose} />
      </Dialog>
    );
  return (
    <Dialog
      title="Execute the erasure?"
      about="The keys of the subject are destroyed. Nobody can open what they sealed, now or later. This cannot be undone."
      onClose={onClose}
    >
      <form onSubmit={submit}>
        <Stack>
          <CouncilReasons id={id} />
          <TextField
            label="Type the subject"
            hint={<code>{subject}</code>}
            autoComplete="off"
            value={typed}
            onChange={setTyped}
          />
          {execute.isError && <ErrorNotice error={execute.error} />}
          <Row>
            <Button type="submit" kind="danger" disabled={typed !== subject || execute.isPending}>
              {execute.isPending ? 'Destroying the keys …' : 'Destroy the keys'}
            </Button>
            <Button onClick={onClose}>Leave them</Button>
          </Row>
        </Stack>
      </form>
    </Dialog>
  );
}

/** What the members of the council wrote when they approved it, which may say when to execute it. */
function CouncilReasons({ id }: { readonly id: string }) {
  const request = useQuery(requestOptions(useMace(), id));
  return (
    <Section title="The council’s reasons">
      <Answered query={request} what="the reasons of the council">
        {({ votes }) => (
          <ul>
            {votes.map(({ voter, reason, at }) => (
              <li key={`${voter.sub} ${at}`}>
                <VisibleText text={voter.sub} />: <VisibleText text={reason} />
              </li>
            ))}
          </ul>
        )}
      </Answered>
    </Section>
  );
}

function useExecution(id: string, subject: string) {
  const mace = useMace();
  const queries = useQueryClient();
  const announce = useAnnounce();
  return useMutation({
    mutationFn: () => mace.privacy.executeErasure(id),
    onSuccess: () => announce(`The keys of ${subject} are destroyed.`),
    onSettled: () => {
      for (const queryKey of [['erasures'], ['retention'], ['requests']])
        void queries.invalidateQueries({ queryKey });
    },
  });
}
