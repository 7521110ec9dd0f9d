import { useCallback, useState } from 'react';
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
}

const keyOf = (sub: string, requestId: string): string => `mace.draft.${sub}.${requestId}`;

function stored(key: string): Draft {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? '{}') as Draft;
  } catch {
    return {};
  }
}

/** The draft of the signed-in person for a request. It survives a reload and a new sign-in in this tab. */
export function useDraft(requestId: string): {
  readonly draft: Draft;
  readonly change: (part: Draft) => void;
  readonly clear: () => void;
} {
  const key = keyOf(useSession().sub, requestId);
  const [draft, setDraft] = useState(() => stored(key));
  const change = useCallback(
    (part: Draft) => {
      const next = { ...stored(key), ...part };
      sessionStorage.setItem(key, JSON.stringify(next));
      setDraft(next);
    },
    [key],
  );
  const clear = useCallback(() => {
    sessionStorage.removeItem(key);
    setDraft({});
  }, [key]);
  return { draft, change, clear };
}
