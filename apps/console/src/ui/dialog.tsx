import { type ReactNode, useId, useLayoutEffect, useRef } from 'react';
import styles from './dialog.module.css';

interface DialogProps {
  readonly title: string;
  readonly about: ReactNode;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/**
 * A dialog, open as long as it is rendered. The browser keeps the focus in it, gives it back, and closes it on
 * Escape.
 */
export function Dialog({ title, about, onClose, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  // A dialog gives the focus back only if it is closed while it is still in the page.
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    // The first control may stand far below the words, so the dialog would open at its end.
    element?.scrollTo({ top: 0 });
    return () => element?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      className={styles.dialog}
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-about`}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <h2 id={`${id}-title`}>{title}</h2>
      <p id={`${id}-about`} className={styles.about}>
        {about}
      </p>
      {children}
    </dialog>
  );
}
