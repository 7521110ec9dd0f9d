import { skipToken, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ActionRequest } from '#client/index.js';
import { type Decided, LAST_DECISION } from './decided';
import { useHeldState } from './held-votes-provider';
import { ReceiptButton } from './receipt-button';
import styles from './requests.module.css';
import { STATUS_WORDS } from './words';

/** So many characters of a hash are enough to compare two; the tooltip and the receipt have all of it. */
const HASH_SHOWN = 12;

/** One line about the last decision. Its event, place and hash are folded. While a later vote is held, it says nothing. */
export function LastDecision() {
  const { data } = useQuery<Decided>({
    ...{ queryKey: LAST_DECISION, queryFn: skipToken, gcTime: Infinity },
  });
  const { held } = useHeldState();
  if (data === undefined || held.length > 0) return null;
  const { words, request, receipt } = data;
  return (
    <section className={styles.last} aria-label="Your last decision">
      <span>
        Your last decision: {words}
        {request !== undefined && hasMoved(words, request) && ` ${STATUS_WORDS[request.status]}.`}
      </span>
      {request !== undefined && (
        <Link to="/requests/$id" params={{ id: request.request_id }}>
          See it again
        </Link>
      )}
      {request !== undefined && receipt !== null && (
        <details>
          <summary>Receipt</summary>
          Event {receipt.number}, position {receipt.position}, hash{' '}
          <code title={receipt.hash}>{receipt.hash.slice(0, HASH_SHOWN)}…</code>{' '}
          <ReceiptButton requestId={request.request_id} number={receipt.number}>
            Download the receipt
          </ReceiptButton>
        </details>
      )}
    </section>
  );
}

/** True if the state of the request says more than the vote: `Approved … Written.`, but not `Rejected … Rejected.` */
const hasMoved = (words: string, { status }: ActionRequest): boolean =>
  !words.startsWith(STATUS_WORDS[status]);
