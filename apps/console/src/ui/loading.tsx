import styles from './loading.module.css';

interface LoadingProps {
  /** What is loaded, for example `the requests`. */
  readonly what?: string;
}

/** Says that something is on its way. It appears only after a moment, so that quick answers do not flicker. */
export const Loading = ({ what = 'the page' }: LoadingProps) => (
  <p className={styles.loading} role="status">
    Loading {what} …
  </p>
);
