import { createContext, type ReactNode, use, useMemo, useState } from 'react';
import { MaceClient } from '#client/index.js';
import { queryClient } from '../data/query-client';
import { serviceHealth } from './service-health';
import { isSamePerson, type Session, storedSession, storeSession } from './session';

/**
 * Returns a fetch that notices what every page must know: a refused token, and a service that does not answer or
 * that fails.
 */
const watchedFetch =
  (onRefusedToken: () => void): typeof fetch =>
  async (input, init) => {
    try {
      const response = await fetch(input, isVote(input) ? { ...init, keepalive: true } : init);
      if (response.status === 401) onRefusedToken();
      if (response.status >= 500) serviceHealth.check();
      return response;
    } catch (error) {
      if (init?.signal?.aborted !== true) serviceHealth.check();
      throw error;
    }
  };

/** True for the votes on requests. They reach the service also if the page is closed before the answer. */
const isVote = (input: RequestInfo | URL): boolean =>
  typeof input === 'string' &&
  /\/v1\/action-requests\/(?:[^/?]+\/votes|approvals|rejections)$/.test(input);

interface SessionState {
  readonly session: Session | undefined;
  /** True if the session's token has expired, or the service has refused it. */
  readonly isOver: boolean;
  /** Signs in as somebody, or out with undefined. */
  readonly signIn: (session: Session | undefined) => void;
  /** Ends the use of the session's token. The person stays on the page. */
  readonly end: () => void;
  readonly mace: MaceClient | undefined;
}

const SessionContext = createContext<SessionState | undefined>(undefined);

/** Keeps who is signed in. Another person gets an empty cache; the same person with a new token keeps it. */
export function SessionProvider({ children }: { readonly children: ReactNode }) {
  const [session, setSession] = useState(storedSession);
  const [refusedToken, setRefusedToken] = useState<string>();
  const token = session?.token;
  const mace = useMemo(() => {
    if (token === undefined) return undefined;
    const fetch = watchedFetch(() => setRefusedToken(token));
    return new MaceClient({ baseUrl: window.location.origin, token, retries: 1, fetch });
  }, [token]);
  const state = useMemo<SessionState>(
    () => ({
      session,
      mace,
      isOver: token !== undefined && refusedToken === token,
      end: () => setRefusedToken(token),
      signIn: (next) => {
        const isSame = isSamePerson(next, session);
        storeSession(next);
        setSession(next);
        if (!isSame) queryClient.clear();
        // What failed with the old token is read again with the new one.
        else setTimeout(() => void queryClient.invalidateQueries());
      },
    }),
    [session, mace, token, refusedToken],
  );
  return <SessionContext value={state}>{children}</SessionContext>;
}

export function useSessionState(): SessionState {
  const state = use(SessionContext);
  if (state === undefined) throw new Error('useSessionState is used outside SessionProvider');
  return state;
}

/** Returns the signed-in person. The pages below the shell are shown only to one. */
export function useSession(): Session {
  const { session } = useSessionState();
  if (session === undefined) throw new Error('nobody is signed in');
  return session;
}

/** Returns the SDK's client of the signed-in person: the only way to the data. */
export function useMace(): MaceClient {
  const { mace } = useSessionState();
  if (mace === undefined) throw new Error('nobody is signed in');
  return mace;
}
