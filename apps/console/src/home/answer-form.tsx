import { useState } from 'react';
import { useRead, useChange } from '../data/queries';
import { Answered } from '../ui/answered';
import { Button } from '../ui/button';
import { ErrorNotice } from '../ui/error-notice';
import { submitting } from '../ui/form';
import { LongTextField } from '../ui/long-text-field';
import { VisibleText } from '../ui/visible-text';
import styles from './start-page.module.css';

/** Shows the last question about a proposal, and sends the proposer's answer. */
export function AnswerForm({ requestId }: { readonly requestId: string }) {
  const request = useRead(['start', 'proposal', requestId], (mace, call) =>
    mace.actionRequests.get(requestId, call),
  );
  return (
    <Answered query={request} what="the question">
      {({ discussion, target_sem_key, kind }) => {
        const question = discussion.findLast((remark) => remark.kind === 'question');
        return (
          question !== undefined && (
            <Answer
              requestId={requestId}
              about={target_sem_key ?? kind}
              by={question.by.sub}
              question={question.text}
            />
          )
        );
      }}
    </Answered>
  );
}

interface AnswerProps {
  readonly requestId: string;
  readonly about: string;
  readonly by: string;
  readonly question: string;
}

function Answer({ requestId, about, by, question }: AnswerProps) {
  const [text, setText] = useState('');
  const answer = useChange((mace) => mace.actionRequests.answer(requestId, text), {
    ...{ done: 'The answer is sent.', changes: ['start', 'proposals'] },
  });
  const submit = submitting(() => answer.mutate());
  return (
    <form className={styles.list} onSubmit={submit} aria-label={`Answer about ${about}`}>
      <p>
        <VisibleText text={by} /> asks about <VisibleText text={about} />:{' '}
        <strong>
          <VisibleText text={question} />
        </strong>
      </p>
      <LongTextField label="Your answer" value={text} onChange={setText} />
      {answer.isError && <ErrorNotice error={answer.error} />}
      <div>
        <Button type="submit" disabled={answer.isPending}>
          Send the answer
        </Button>
      </div>
    </form>
  );
}
