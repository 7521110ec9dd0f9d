import type { ReactNode, SubmitEvent } from 'react';
import styles from './form.module.css';

interface FormProps {
  readonly title: string;
  readonly onSubmit: (event: SubmitEvent) => void;
  readonly children: ReactNode;
}

/** A form with a title, its fields below each other. */
export const Form = ({ title, onSubmit, children }: FormProps) => (
  <form className={styles.form} aria-label={title} onSubmit={onSubmit}>
    <h2>{title}</h2>
    {children}
  </form>
);

/** Returns the handler of a form that the page itself sends. */
export const submitting =
  (send: () => void) =>
  (event: SubmitEvent): void => {
    event.preventDefault();
    send();
  };

/** Fields beside each other that select what a list shows. */
export const Filters = ({
  label,
  children,
}: {
  readonly label: string;
  readonly children: ReactNode;
}) => (
  <div role="search" aria-label={label} className={styles.filters}>
    {children}
  </div>
);
