import type { ActionRequest } from '#client/index.js';
import { useMoment } from '../moment/use-moment';
import { Instant } from '../ui/instant';
import { LongText } from '../ui/long-text';
import { Message } from '../ui/message';
import { VisibleText } from '../ui/visible-text';
import styles from './review.module.css';
import { SourceReceipt } from './source-receipt';

type Remark = ActionRequest['discussion'][number];

/** Earlier remarks are folded. */
const SHOWN = 4;

/** The questions after the last answer, as long as an answer counts; and what was said before them. */
function partsOf({ discussion, awaits_answer, status }: ActionRequest): {
  readonly open: readonly Remark[];
  readonly settled: readonly Remark[];
} {
  if (!awaits_answer || status !== 'pending') return { open: [], settled: discussion };
  const answered = discussion.findLastIndex(({ kind }) => kind !== 'question') + 1;
  return { open: discussion.slice(answered), settled: discussion.slice(0, answered) };
}

const UNANSWERED = 'The proposer has not answered yet; you may decide all the same';
const UNANSWERED_THEN = 'The proposer had not answered then';

/** Says that a reviewer waits for an answer (SPEC G8). */
export function OpenQuestion({ request }: { readonly request: ActionRequest }) {
  const isPast = useMoment().at !== undefined;
  const { open } = partsOf(request);
  const [first] = open;
  if (first === undefined) return null;
  return (
    <Message title={isPast ? UNANSWERED_THEN : UNANSWERED} kind="warning">
      <Remarks of={open} request={request} />
    </Message>
  );
}

/** The questions to the proposer and the answers, without those that are open (SPEC G8). */
export function Discussion({ request }: { readonly request: ActionRequest }) {
  const { settled } = partsOf(request);
  if (settled.length === 0) return null;
  const shown = settled.slice(-SHOWN);
  const earlier = settled.slice(0, -SHOWN);
  return (
    <section className={styles.section} aria-labelledby="discussion">
      <h2 id="discussion">Questions and answers</h2>
      {earlier.length > 0 && (
        <details>
          <summary>{earlier.length} earlier</summary>
          <Remarks of={earlier} request={request} />
        </details>
      )}
      <Remarks of={shown} request={request} />
    </section>
  );
}

interface RemarksProps {
  readonly of: readonly Remark[];
  readonly request: ActionRequest;
}

const Remarks = ({ of, request: { request_id } }: RemarksProps) => (
  <ul className={styles.remarks}>
    {of.map(({ kind, by, text, at, source_event }) => (
      <li key={`${at} ${kind}`}>
        <p className={styles.prose}>
          <LongText text={text} />
        </p>
        <p className={styles.small}>
          <VisibleText text={by.sub} /> {kind === 'question' ? 'asked' : 'answered'},{' '}
          <Instant at={at} /> <SourceReceipt requestId={request_id} event={source_event} />
        </p>
      </li>
    ))}
  </ul>
);
