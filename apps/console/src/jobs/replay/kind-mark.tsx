import styles from './replay.module.css';

interface KindMarkProps {
  readonly kind: string | undefined;
  /** True if only the sign is seen, and the word is read out. */
  readonly isShort?: boolean;
}

/** Marks an input, which came from outside, or an outcome, which the rules derived: by a sign and a word. */
export const KindMark = ({ kind, isShort = false }: KindMarkProps) => (
  <span className={styles.kind} data-kind={kind}>
    <span aria-hidden>{kind === 'input' ? '→' : kind === 'outcome' ? '⤷' : '?'}</span>{' '}
    <span className={isShort ? 'visually-hidden' : undefined}>{kind ?? 'unknown'}</span>
  </span>
);
