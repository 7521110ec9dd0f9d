import { Link } from '@tanstack/react-router';
import type { Dossier } from '#client/index.js';
import { LongText } from '../ui/long-text';
import styles from './review.module.css';
import { deadlineWords, nameOf } from './words';

/** What else waits by or about the same person. Nothing if nothing does. */
export function PersonRequests({ of }: { readonly of: Dossier['person_requests'] }) {
  if (of.length === 0) return null;
  return (
    <section className={styles.section} aria-labelledby="of-person">
      <h2 id="of-person">Other open requests by or about the same person</h2>
      <ul className={styles.rivals}>
        {of.map((other) => (
          <li key={other.request_id}>
            <Link to="/requests/$id" params={{ id: other.request_id }}>
              {nameOf(other)}
            </Link>
            , {deadlineWords(other)}: <LongText text={other.justification} />
          </li>
        ))}
      </ul>
    </section>
  );
}
