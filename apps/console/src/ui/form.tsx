import type { KeyboardEvent, ReactNode, SubmitEvent } from 'react';
import { FORM_KEYS, isPressed } from '../keys/key-table';
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

/** Sends a form by Ctrl Enter. Escape leaves its field, so that the keys of the page work again. */
export function sendByKey(event: KeyboardEvent<HTMLFormElement>): void {
  if (isPressed(FORM_KEYS.send, event)) {
    event.preventDefault();
    event.currentTarget.requestSubmit();
  } else if (event.key === 'Escape' && event.target instanceof HTMLElement) event.target.blur();
}

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
