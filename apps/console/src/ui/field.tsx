import { type ReactNode, useId } from 'react';
import styles from './field.module.css';

/** What a control takes, so that its label, hint and problem belong to it. */
export interface FieldControl {
  readonly id: string;
  readonly className: string | undefined;
  readonly 'aria-describedby': string | undefined;
  readonly 'aria-invalid': boolean;
}

interface FieldProps {
  readonly label: string;
  readonly hint?: ReactNode;
  /** What is wrong with the value, in words; it is read out when it appears. */
  readonly problem?: string | undefined;
  readonly children: (control: FieldControl) => ReactNode;
}

/** A control with its label, hint and problem. */
export function Field({ label, hint, problem, children }: FieldProps) {
  const id = useId();
  const described = [
    hint === undefined ? [] : [`${id}-hint`],
    problem === undefined ? [] : [`${id}-problem`],
  ].flat();
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      {children({
        ...{ id, className: styles.control },
        'aria-describedby': described.length === 0 ? undefined : described.join(' '),
        'aria-invalid': problem !== undefined,
      })}
      {hint !== undefined && (
        <p id={`${id}-hint`} className={styles.hint}>
          {hint}
        </p>
      )}
      <p id={`${id}-problem`} className={styles.problem} role="alert">
        {problem}
      </p>
    </div>
  );
}
