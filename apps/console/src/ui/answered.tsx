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

export interface AnsweredProps<Data> {
  readonly query: Query<Data>;
  /** What is loaded, for example `the requests`. */
  readonly what: string;
  readonly children: (data: Data) => ReactNode;
}

/** The answer of a query, or its loading, or its failure with a way to try again. */
export function Answered<Data>({ query, what, children }: AnsweredProps<Data>) {
  const { data, isError, error, refetch } = query;
  return (
    <>
      {isError && <ErrorNotice error={error} retry={() => void refetch()} />}
      {data !== undefined && children(data)}
      {data === undefined && !isError && <Loading what={what} />}
    </>
  );
}
