import { MAX_CHARACTERS } from '#domain/free-text.js';
import { useState } from 'react';
import type { ActionRequest, MaceClient } from '#client/index.js';
import { useChange } from '../data/queries';
import { useMoment } from '../moment/use-moment';
import { hasRole, type Session } from '../session/session';
import { useSession } from '../session/session-provider';
import { Button } from '../ui/button';
import { ErrorNotice } from '../ui/error-notice';
import { TextArea, TextField } from '../ui/field';
import { sendByKey, submitting } from '../ui/form';
import { Instant } from '../ui/instant';
import { Row, Section, Stack } from '../ui/stack';
import { VisibleText } from '../ui/visible-text';
import { useDraft } from './drafts';
import styles from './requests.module.css';
import { SourceReceipt } from './source-receipt';
import { concerns } from './reviewer';

const HOUR_MS = 3_600_000;
const DELAYS = [
  ['an hour', HOUR_MS],
  ['a day', 24 * HOUR_MS],
  ['three days', 72 * HOUR_MS],
] as const;

interface WorkProps {
  readonly request: ActionRequest;
}

/** What the reviewers do among themselves: who works on the request, who has put it off, and comments. */
export function ReviewWork({ request }: WorkProps) {
  const session = useSession();
  const isPast = useMoment().at !== undefined;
  if (!hasRole(session, 'council', 'admin', 'auditor')) return null;
  const mayWork = isOpenTo(session, request) && !isPast;
  if (!mayWork && request.comments.length === 0 && request.assigned_to === null) return null;
  return (
    <Section title="Among the reviewers">
      <Stack>
        <Assignment request={request} mayWork={mayWork} sub={session.sub} />
        {mayWork && <Delay request={request} />}
        <Comments request={request} mayWork={mayWork} />
      </Stack>
    </Section>
  );
}

/** True if this person may work on the request, as far as the page knows; the service decides (SPEC G2). */
const isOpenTo = (session: Session, request: ActionRequest): boolean =>
  request.status === 'pending' &&
  hasRole(session, 'council', 'admin') &&
  !concerns(request, session);

const useWork = <Input,>(
  work: (mace: MaceClient, input: Input) => Promise<ActionRequest>,
  done: string,
  onDone?: () => void,
) =>
  useChange<ActionRequest, Input>(work, {
    ...{ done, changes: ['requests'] },
    ...(onDone === undefined ? {} : { onDone }),
  });

interface AssignmentProps extends WorkProps {
  readonly mayWork: boolean;
  readonly sub: string;
}

function Assignment({ request, mayWork, sub }: AssignmentProps) {
  const { request_id: id, assigned_to } = request;
  const [to, setTo] = useState('');
  const assign = useWork<string | null>(
    (mace, next) => mace.actionRequests.assign(id, next),
    'The assignment is recorded.',
    () => setTo(''),
  );
  const submit = submitting(() => {
    if (to.trim() !== '') assign.mutate(to.trim());
  });
  return (
    <>
      <p>
        {assigned_to === null ? (
          'Nobody works on it.'
        ) : assigned_to === sub ? (
          'You work on it.'
        ) : (
          <>
            <VisibleText text={assigned_to} /> works on it.
          </>
        )}
      </p>
      {mayWork && (
        <>
          <Row>
            {assigned_to !== sub && (
              <Button disabled={assign.isPending} onClick={() => assign.mutate(sub)}>
                Take it
              </Button>
            )}
            {assigned_to !== null && (
              <Button disabled={assign.isPending} onClick={() => assign.mutate(null)}>
                Assign it to nobody
              </Button>
            )}
          </Row>
          <details>
            <summary>Assign it to another</summary>
            <form onSubmit={submit}>
              <Stack>
                <TextField
                  label="Reviewer"
                  hint="The sub of a reviewer’s token."
                  maxLength={256}
                  value={to}
                  onChange={setTo}
                />
                <div>
                  <Button type="submit" disabled={assign.isPending || to.trim() === ''}>
                    Assign it
                  </Button>
                </div>
              </Stack>
            </form>
          </details>
        </>
      )}
      {assign.isError && <ErrorNotice error={assign.error} />}
    </>
  );
}

function Delay({ request: { request_id: id, snoozed_until } }: WorkProps) {
  const snooze = useWork<string | null>(
    (mace, until) => mace.actionRequests.snooze(id, until),
    'Your queue is changed.',
  );
  // A time that has passed is not shown: the request is back in the queue.
  const isOff = snoozed_until !== null && Date.parse(snoozed_until) > Date.now();
  return (
    <>
      <Row>
        {isOff ? (
          <>
            <span>
              Out of your queue until <Instant at={snoozed_until} />.
            </span>
            <Button disabled={snooze.isPending} onClick={() => snooze.mutate(null)}>
              Put it back
            </Button>
          </>
        ) : (
          <>
            <span>Put it off, for you alone, for</span>
            {DELAYS.map(([words, ms]) => (
              <Button
                key={words}
                disabled={snooze.isPending}
                onClick={() => snooze.mutate(new Date(Date.now() + ms).toISOString())}
              >
                {words}
              </Button>
            ))}
          </>
        )}
      </Row>
      {snooze.isError && <ErrorNotice error={snooze.error} />}
    </>
  );
}

function Comments({ request, mayWork }: WorkProps & { readonly mayWork: boolean }) {
  const { request_id: id, comments } = request;
  const { draft, change } = useDraft(id);
  const text = draft.comment ?? '';
  const setText = (comment: string): void =>
    change({ comment: comment === '' ? undefined : comment });
  const add = useWork<string>(
    (mace, words) => mace.actionRequests.comment(id, words),
    'The comment is recorded.',
    () => setText(''),
  );
  const submit = submitting(() => {
    if (text.trim() !== '') add.mutate(text.trim());
  });
  return (
    <>
      {comments.length > 0 && (
        <ul className={styles.entries} aria-label="Comments">
          {comments.map(({ by, text: words, at, source_event }, index) => (
            <li key={`${at} ${index}`}>
              <p className={styles.muted}>
                <VisibleText text={by.sub} /> at <Instant at={at} />{' '}
                <SourceReceipt requestId={id} event={source_event} />
              </p>
              <p className={styles.words}>
                <VisibleText text={words} />
              </p>
            </li>
          ))}
        </ul>
      )}
      {mayWork && (
        <form onSubmit={submit} onKeyDown={sendByKey}>
          <Stack>
            <TextArea
              label="Comment"
              hint="Reviewers and auditors see it, the proposer does not. It stays in the record. Ctrl Enter adds it."
              rows={2}
              maxLength={MAX_CHARACTERS}
              value={text}
              onChange={setText}
            />
            {add.isError && <ErrorNotice error={add.error} />}
            <div>
              <Button type="submit" disabled={add.isPending || text.trim() === ''}>
                Add the comment
              </Button>
            </div>
          </Stack>
        </form>
      )}
    </>
  );
}
