import type { ReactNode } from 'react';
import { ErrorNotice } from './error-notice';
import { Loading } from './loading';

/** The result of useQuery or useInfiniteQuery. */
interface Query<Data> {
  readonly data: Data | undefined;
  readonly isError: boolean;
  readonly error: unknown;
  readonly refetch: () => unknown;
}

interface AnsweredProps<Data> {
  readonly query: Query<Data>;
  /** What is loaded, for example `the requests`. */
  readonly what: string;
  readonly children: (data: Data) => ReactNode;
}

/** The answer of a query, or its loading, or its failure with a way to try again. */
export function Answered<Data>({ query, what, children }: AnsweredProps<Data>) {
  if (query.data !== undefined)
    return (
      <>
        {query.isError && <ErrorNotice error={query.error} retry={() => void query.refetch()} />}
        {children(query.data)}
      </>
    );
  if (query.isError) return <ErrorNotice error={query.error} retry={() => void query.refetch()} />;
  return <Loading what={what} />;
}
