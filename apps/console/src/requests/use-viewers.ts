import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { hasRole } from '../session/session';
import { useMace, useSession } from '../session/session-provider';

/** The service forgets a viewer after 60 s. */
const INTERVAL_MS = 20_000;

/** Says that the reviewer looks at a request, until the page is left, and returns who else does. */
export function useOtherViewers(requestId: string): readonly string[] {
  const mace = useMace();
  const session = useSession();
  const mayLook = hasRole(session, 'council', 'admin');
  const { data } = useQuery({
    queryKey: ['requests', 'viewers', requestId],
    queryFn: ({ signal }) => mace.actionRequests.look(requestId, {}, { signal }),
    refetchInterval: INTERVAL_MS,
    enabled: mayLook,
  });
  useEffect(() => {
    if (!mayLook) return;
    return () => {
      // The service forgets the reviewer by itself if this does not arrive.
      mace.actionRequests.look(requestId, { leaving: 'true' }).catch(() => undefined);
    };
  }, [mace, requestId, mayLook]);
  return (data?.viewers ?? []).filter((sub) => sub !== session.sub);
}
