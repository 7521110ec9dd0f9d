import type { ReactNode } from 'react';
import styles from './stack.module.css';

/** Parts below each other, with even space between them. */
export const Stack = ({ children }: { readonly children: ReactNode }) => (
  <div className={styles.stack}>{children}</div>
);

/** Parts beside each other, which wrap on a narrow screen. */
export const Row = ({ children }: { readonly children: ReactNode }) => (
  <div className={styles.row}>{children}</div>
);

interface SectionProps {
  readonly title: string;
  readonly children: ReactNode;
}

export const Section = ({ title, children }: SectionProps) => (
  <section className={styles.section}>
    <h2>{title}</h2>
    {children}
  </section>
);

interface FactsProps {
  readonly facts: readonly (readonly [name: string, value: ReactNode])[];
}

/** Named values, such as a position and a hash. */
export const Facts = ({ facts }: FactsProps) => (
  <dl className={styles.facts}>
    {facts.map(([name, value]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
);
