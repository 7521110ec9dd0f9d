import { createContext, type ReactNode, use, useMemo, useState } from 'react';
import { MaceClient } from '#client/index.js';
import { queryClient } from '../data/query-client';
import { type Session, storedSession, storeSession } from './session';

interface SessionState {
  readonly session: Session | undefined;
  /** Signs in as somebody, or out with undefined. */
  readonly signIn: (session: Session | undefined) => void;
}

const SessionContext = createContext<SessionState | undefined>(undefined);

/** Keeps who is signed in. Another person gets an empty cache; the same person with a new token keeps it. */
export function SessionProvider({ children }: { readonly children: ReactNode }) {
  const [session, setSession] = useState(storedSession);
  const state = useMemo<SessionState>(
    () => ({
      session,
      signIn: (next) => {
        if (next?.sub !== session?.sub) queryClient.clear();
        storeSession(next);
        setSession(next);
      },
    }),
    [session],
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
  const { token } = useSession();
  return useMemo(
    () => new MaceClient({ baseUrl: window.location.origin, token, retries: 1 }),
    [token],
  );
}
