import type { ActionRequest, Dossier } from '#client/index.js';
import { isSame } from '../changes/aligned-items';

/** A value of the target, and the request that wrote it, where the service says so. */
export type StandingFact = NonNullable<Dossier['present_fact']> & {
  readonly approved_by?: {
    readonly request_id: string;
    readonly decided_at: string;
    /** The number of votes for it. */
    readonly approvals: number;
    /** The members who voted for it. */
    readonly voters?: readonly { readonly sub: string }[];
  } | null;
};

/** What a proposed value stands against. */
export interface FactsBehind {
  /** The value that it replaces; null if there is none. */
  readonly before: StandingFact | null;
  /** The value when the request was made, if it is another one; null if there was none. */
  readonly then: StandingFact | null | undefined;
}

/** A closed request stands against the fact at its proposal, because it may have written the present one. */
export function factsBehind({ status }: ActionRequest, dossier: Dossier): FactsBehind {
  const { present_fact: now, fact_at_proposal: then } = dossier;
  if (status !== 'pending') return { before: then, then: undefined };
  return { before: now, then: isSame(now?.value, then?.value) ? undefined : then };
}
