import type { ActionRequest } from '#client/index.js';
import { Instant } from '../ui/instant';
import { VisibleText } from '../ui/visible-text';
import styles from './requests.module.css';
import { SourceReceipt } from './source-receipt';

/** The questions to the proposer and the answers (SPEC G8). */
export function Discussion({ request }: { readonly request: ActionRequest }) {
  const { discussion, awaits_answer } = request;
  if (discussion.length === 0) return null;
  return (
    <section className={styles.section}>
      <h2>Questions and answers</h2>
      <ul className={styles.entries}>
        {discussion.map(({ kind, by, text, at, source_event }) => (
          <li key={`${at} ${kind}`}>
            <p className={styles.muted}>
              <VisibleText text={by.sub} /> {kind === 'question' ? 'asked' : 'answered'} at{' '}
              <Instant at={at} />{' '}
              <SourceReceipt requestId={request.request_id} event={source_event} />
            </p>
            <p className={styles.words}>
              <VisibleText text={text} />
            </p>
          </li>
        ))}
      </ul>
      {awaits_answer && <p className={styles.muted}>The proposer has not answered yet.</p>}
    </section>
  );
}
