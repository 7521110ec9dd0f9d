import { type ReactNode, useId } from 'react';
import styles from './sections.module.css';

/** The sections of a page, one below the other. */
export const Sections = ({ children }: { readonly children: ReactNode }) => (
  <div className={styles.sections}>{children}</div>
);

interface SectionProps {
  readonly title: string;
  readonly children: ReactNode;
}

/** A part of a page under a heading of its own. */
export function Section({ title, children }: SectionProps) {
  const id = useId();
  return (
    <section className={styles.section} aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  );
}

/** Controls side by side. */
export const Bar = ({ children }: { readonly children: ReactNode }) => (
  <div className={styles.bar}>{children}</div>
);

/** Names with their values. An undefined or null value leaves its name out. */
export const Facts = ({ of }: { readonly of: Readonly<Record<string, ReactNode>> }) => (
  <dl className={styles.facts}>
    {Object.entries(of).flatMap(([name, value]) =>
      value === undefined || value === null
        ? []
        : [<dt key={`${name} name`}>{name}</dt>, <dd key={name}>{value}</dd>],
    )}
  </dl>
);
