import { type ComponentProps, type ReactNode, useId } from 'react';
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

type Control<Tag extends 'input' | 'textarea'> = Omit<ComponentProps<Tag>, 'onChange'> &
  Omit<FieldProps, 'children'> & {
    readonly value: string;
    readonly onChange: (value: string) => void;
  };

export const TextField = ({ label, hint, problem, onChange, ...input }: Control<'input'>) => (
  <Field {...{ label, hint, problem }}>
    {(field) => <input {...field} {...input} onChange={(event) => onChange(event.target.value)} />}
  </Field>
);

export const TextArea = ({ label, hint, problem, onChange, ...area }: Control<'textarea'>) => (
  <Field {...{ label, hint, problem }}>
    {(field) => <textarea {...field} {...area} onChange={({ target }) => onChange(target.value)} />}
  </Field>
);

/** The values of a choice, each with its words if they are others. */
export type Choices<Value extends string> = readonly (Value | readonly [Value, string])[];

export const Options = ({ of }: { readonly of: Choices<string> }) =>
  of.map((choice) => {
    const [value, words] = typeof choice === 'string' ? [choice, choice] : choice;
    return (
      <option key={value} value={value}>
        {words}
      </option>
    );
  });

interface SelectFieldProps<Value extends string> extends Omit<FieldProps, 'children'> {
  readonly value: Value;
  readonly options: Choices<Value>;
  readonly onChange: (value: Value) => void;
}

export const SelectField = <Value extends string>(props: SelectFieldProps<Value>) => (
  <Field label={props.label} hint={props.hint} problem={props.problem}>
    {(field) => (
      <select
        {...field}
        value={props.value}
        onChange={({ target }) => props.onChange(target.value as Value)}
      >
        <Options of={props.options} />
      </select>
    )}
  </Field>
);
