import type { ReactNode } from 'react';
import { ErrorNotice } from '../ui/error-notice';
import { Loading } from '../ui/loading';
import styles from './start-page.module.css';

export interface Attention {
  readonly state: 'good' | 'warning' | 'bad';
  readonly headline: ReactNode;
  readonly children?: ReactNode;
}

interface PartProps<Data> {
  readonly title: string;
  readonly query: {
    readonly data: Data | undefined;
    readonly isError: boolean;
    readonly error: unknown;
    readonly refetch: () => unknown;
  };
  readonly of: (data: Data) => Attention;
}

/** A part of the start page: one question, its answer in words, and where to go. */
export function Part<Data>({ title, query, of }: PartProps<Data>) {
  const { data, isError, error, refetch } = query;
  const attention = data === undefined || isError ? undefined : of(data);
  return (
    <section className={styles.part} data-state={attention?.state}>
      <h2>{title}</h2>
      {isError && <ErrorNotice error={error} retry={() => void refetch()} />}
      {!isError && attention === undefined && <Loading what={title.toLowerCase()} />}
      {attention !== undefined && (
        <>
          <p className={styles.headline}>{attention.headline}</p>
          {attention.children}
        </>
      )}
    </section>
  );
}
