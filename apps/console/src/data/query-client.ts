import { QueryClient } from '@tanstack/react-query';

/** The cache of what the console has read. The SDK retries by itself, so a query is not repeated after a failure. */
export const queryClient = new QueryClient({
  defaultOptions: {
    // A service on this machine answers without a network.
    queries: {
      ...{ retry: false, staleTime: 5_000, refetchOnWindowFocus: false, networkMode: 'always' },
    },
    mutations: { retry: false, networkMode: 'always' },
  },
});
