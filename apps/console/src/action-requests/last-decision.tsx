import { type QueryClient, skipToken, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ActionRequest, Dossier } from '#client/index.js';
import { ReceiptButton } from './receipt-button';
import styles from './requests.module.css';
import { STATUS_WORDS } from './words';

/** The reader's last decision in this window. */
interface Decided {
  /** What was done, for example `Approved world/fact/x/y.` */
  readonly words: string;
  /** undefined for a decision on several requests. */
  readonly request: ActionRequest | undefined;
  /** The event of the vote; null for what is not a vote. */
  readonly receipt: Dossier['source_event'] | null;
}

const LAST = ['requests', 'last-decision'] as const;
/** So many characters of a hash are enough to compare two; the tooltip and the receipt have all of it. */
const HASH_SHOWN = 12;

export const rememberDecision = (queries: QueryClient, decided: Decided): void =>
  void queries.setQueryData<Decided>(LAST, decided);

/** One line about the last decision: its event, place and hash, and its receipt. */
export function LastDecision() {
  const { data } = useQuery<Decided>({ queryKey: LAST, queryFn: skipToken, gcTime: Infinity });
  if (data === undefined) return null;
  const { words, request, receipt } = data;
  return (
    <section className={styles.last} aria-label="Your last decision">
      <span>{words}</span>
      {request !== undefined && (
        <span className={styles.muted}>{STATUS_WORDS[request.status]}.</span>
      )}
      {request !== undefined && receipt !== null && (
        <>
          <span>
            Event {receipt.number}, position {receipt.position}, hash{' '}
            <code title={receipt.hash}>{receipt.hash.slice(0, HASH_SHOWN)}…</code>
          </span>
          <ReceiptButton requestId={request.request_id} number={receipt.number}>
            Download the receipt
          </ReceiptButton>
        </>
      )}
      {request !== undefined && (
        <Link to="/requests/$id" params={{ id: request.request_id }}>
          See it again
        </Link>
      )}
    </section>
  );
}
