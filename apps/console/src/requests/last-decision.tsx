import { type QueryClient, skipToken, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ActionRequest } from '#client/index.js';
import styles from './requests.module.css';
import { STATUS_WORDS } from './words';

/** The reader's last decision in this window. */
interface Decided {
  /** What was done, for example `Approved world/fact/x/y.` */
  readonly words: string;
  readonly request: ActionRequest;
}

const LAST = ['requests', 'last-decision'] as const;

export const rememberDecision = (queries: QueryClient, decided: Decided): void =>
  void queries.setQueryData<Decided>(LAST, decided);

/** One line about the last decision, with the way back to its request, where the receipt stands. */
export function LastDecision() {
  const { data } = useQuery<Decided>({ queryKey: LAST, queryFn: skipToken, gcTime: Infinity });
  if (data === undefined) return null;
  const { words, request } = data;
  return (
    <p className={styles.last}>
      <span>{words}</span>
      <span className={styles.muted}>{STATUS_WORDS[request.status]}.</span>
      <Link to="/requests/$id" params={{ id: request.request_id }}>
        See it and its receipt
      </Link>
    </p>
  );
}
