import styles from './replay.module.css';

/** Marks an input, which came from outside, or an outcome, which the rules derived: by a sign and a word. */
export const KindMark = ({ kind }: { readonly kind: string | undefined }) => (
  <span className={styles.kind} data-kind={kind}>
    <span aria-hidden>{kind === 'input' ? '→' : kind === 'outcome' ? '⤷' : '?'}</span>{' '}
    {kind ?? 'unknown'}
  </span>
);
