import type { ReactNode } from 'react';
import styles from './badge.module.css';

interface BadgeProps {
  readonly kind?: 'plain' | 'good' | 'warning' | 'bad';
  readonly title?: string;
  readonly children: ReactNode;
}

/** A short state, such as `pending`. The words carry the meaning, the colour only repeats it. */
export const Badge = ({ kind = 'plain', title, children }: BadgeProps) => (
  <span className={`${styles.badge} ${styles[kind]}`} title={title}>
    {children}
  </span>
);
