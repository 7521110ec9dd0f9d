import { useCallback, useMemo, useSyncExternalStore } from 'react';
import { personOf } from '../session/session';
import { useSession } from '../session/session-provider';
import type { ReasonCode } from './words';

export type DecisionMode = 'approve' | 'reject' | 'revise' | 'abstain' | 'ask';

/** What a reviewer has typed for a request, but not yet sent. */
export interface Draft {
  readonly mode?: DecisionMode;
  readonly code?: ReasonCode;
  readonly reason?: string;
  /** The other words: a text, or JSON. */
  readonly value?: string;
  readonly question?: string;
  /** A comment for the other reviewers, which a decision does not send. */
  readonly comment?: string;
}

const listeners = new Set<() => void>();
const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

const keyOf = (person: string, requestId: string): string => `mace.draft.${person}.${requestId}`;

function draftIn(text: string | null): Draft {
  try {
    return JSON.parse(text ?? '{}') as Draft;
  } catch {
    return {};
  }
}

function store(key: string, draft: Draft): void {
  if (Object.keys(draft).length === 0) sessionStorage.removeItem(key);
  else sessionStorage.setItem(key, JSON.stringify(draft));
  for (const listener of listeners) listener();
}

/** Gives a person back what they had typed for a request. */
export const restoreDraft = (person: string, requestId: string, draft: Draft): void =>
  store(keyOf(person, requestId), draft);

/** The draft of the signed-in person for a request. It survives a reload and a new sign-in in this tab. */
export function useDraft(requestId: string): {
  readonly draft: Draft;
  readonly change: (part: Draft) => void;
  /** Forgets the words of a decision. */
  readonly clear: () => void;
} {
  const key = keyOf(personOf(useSession()), requestId);
  const text = useSyncExternalStore(subscribe, () => sessionStorage.getItem(key));
  const draft = useMemo(() => draftIn(text), [text]);
  const change = useCallback(
    (part: Draft) => store(key, { ...draftIn(sessionStorage.getItem(key)), ...part }),
    [key],
  );
  const clear = useCallback(() => {
    const { comment } = draftIn(sessionStorage.getItem(key));
    store(key, comment === undefined ? {} : { comment });
  }, [key]);
  return { draft, change, clear };
}
