import type { QueryClient } from '@tanstack/react-query';
import type { ActionRequest, Dossier } from '#client/index.js';

/** The reader's last decision in this window. */
export interface Decided {
  /** The decision in words: `Approved world/fact/x/y.` */
  readonly words: string;
  /** undefined for a decision on several requests. */
  readonly request: ActionRequest | undefined;
  /** The event of the vote; null for what is not a vote. */
  readonly receipt: Dossier['source_event'] | null;
}

export const LAST_DECISION = ['requests', 'last-decision'] as const;

export const rememberDecision = (queries: QueryClient, decided: Decided): void =>
  void queries.setQueryData<Decided>(LAST_DECISION, decided);
