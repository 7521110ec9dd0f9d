import type { ReactNode } from 'react';
import styles from './terms.module.css';

interface TermsProps {
  readonly terms: readonly (readonly [id: string, term: ReactNode, meaning: ReactNode])[];
  /** True if the terms are so short that both columns have room in a narrow window too. */
  readonly areShort?: boolean;
}

/** Terms with their meanings beside them. */
export const Terms = ({ terms, areShort = false }: TermsProps) => (
  <dl className={`${styles.terms} ${areShort ? styles.short : styles.long}`}>
    {terms.map(([id, term, meaning]) => (
      <div key={id}>
        <dt>{term}</dt>
        <dd>{meaning}</dd>
      </div>
    ))}
  </dl>
);
