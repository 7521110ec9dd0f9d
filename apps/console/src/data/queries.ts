import {
  type QueryKey,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
  type UseQueryOptions,
} from '@tanstack/react-query';
import type { MaceClient } from '#client/index.js';
import { useMace } from '../session/session-provider';
import { useAnnounce } from '../ui/announcer';

/** Ends a read when no page waits for it. */
interface Call {
  readonly signal: AbortSignal;
}

type ReadOptions<Data> = Pick<UseQueryOptions<Data>, 'refetchInterval' | 'placeholderData'>;

/** Reads as the signed-in person. */
export function useRead<Data>(
  queryKey: QueryKey,
  read: (mace: MaceClient, call: Call) => Promise<Data>,
  options?: ReadOptions<Data>,
) {
  const mace = useMace();
  return useQuery<Data>({ queryKey, queryFn: ({ signal }) => read(mace, { signal }), ...options });
}

/** Reads a list page by page, as the signed-in person. `page` is empty for the first one. */
export function usePages<Page extends { readonly next_cursor: string | null }>(
  queryKey: QueryKey,
  read: (mace: MaceClient, page: { readonly cursor?: string }, call: Call) => Promise<Page>,
  options?: { readonly refetchInterval: number },
) {
  const mace = useMace();
  return useInfiniteQuery({
    queryKey,
    queryFn: ({ signal, pageParam: cursor }) =>
      read(mace, cursor === undefined ? {} : { cursor }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
    ...options,
  });
}

/** A list that is read page by page. */
export interface PagedList {
  readonly hasNextPage: boolean;
  readonly isFetchingNextPage: boolean;
  readonly fetchNextPage: () => unknown;
}

interface ChangeOptions<Result> {
  /** The text that a screen reader reads out after a success; undefined for none. */
  readonly done: string | ((result: Result) => string | undefined);
  /** The queries that are read again, also after a failure. */
  readonly changes: QueryKey;
  readonly onDone?: () => void;
}

/** Changes something as the signed-in person. */
export function useChange<Result, Input = void>(
  change: (mace: MaceClient, input: Input) => Promise<Result>,
  { done, changes, onDone }: ChangeOptions<Result>,
) {
  const mace = useMace();
  const queries = useQueryClient();
  const announce = useAnnounce();
  return useMutation({
    mutationFn: (input: Input) => change(mace, input),
    onSuccess: (result) => {
      onDone?.();
      const words = typeof done === 'string' ? done : done(result);
      if (words !== undefined) announce(words);
    },
    onSettled: () => queries.invalidateQueries({ queryKey: changes }),
  });
}
