import { QueryClient } from '@tanstack/react-query';

/**
 * The cache of what the console has read. The SDK retries by itself, so a query is not repeated after a failure.
 *
 * A page shows a failure in the place of its content only if it has none (`isLoadingError`). If a later read fails,
 * the page stays, with all that was typed there; the frame says that the service is away or the session over.
 */
export const queryClient = new QueryClient({
  defaultOptions: {
    // A service on this machine answers without a network.
    queries: {
      ...{ retry: false, staleTime: 5_000, refetchOnWindowFocus: false, networkMode: 'always' },
    },
    mutations: { retry: false, networkMode: 'always' },
  },
});
