import { useQuery } from '@tanstack/react-query';
import { keyIdsIn } from './signature';

/** Reads the public keys of the service that served this page, before any file is opened. */
export const useServiceKeys = () =>
  useQuery({
    queryKey: ['bundle keys'],
    queryFn: async ({ signal }) => {
      const answer = await fetch('/.well-known/jwks.json', { signal });
      return keyIdsIn(await answer.text());
    },
    staleTime: Infinity,
    refetchOnReconnect: false,
  });
