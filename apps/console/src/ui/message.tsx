import type { ReactNode } from 'react';
import styles from './message.module.css';

interface MessageProps {
  readonly title: string;
  readonly children?: ReactNode;
  readonly kind?: 'plain' | 'good' | 'warning' | 'bad';
}

/** A message in place of content: nothing is here, or something is not as it should be, and what to do. */
export const Message = ({ title, children, kind = 'plain' }: MessageProps) => (
  <div className={`${styles.message} ${styles[kind]}`} role={kind === 'bad' ? 'alert' : undefined}>
    <p className={styles.title}>{title}</p>
    {children !== undefined && <div className={styles.body}>{children}</div>}
  </div>
);
