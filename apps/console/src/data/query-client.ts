import { QueryClient } from '@tanstack/react-query';

/** The cache of what the console has read. The SDK retries by itself, so a query is not repeated after a failure. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { retry: false, staleTime: 5_000, refetchOnWindowFocus: false },
    mutations: { retry: false },
  },
});
