import type { ReactNode } from 'react';
import { Field } from './field';

/** The longest free text that the service takes in one field, in characters. */
const LONGEST = 4_000;

interface LongTextFieldProps {
  readonly label: string;
  readonly hint?: ReactNode;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** A field for words of one's own, which must not be empty. */
export const LongTextField = ({ label, hint, value, onChange }: LongTextFieldProps) => (
  <Field label={label} hint={hint}>
    {(field) => (
      <textarea
        {...field}
        rows={2}
        required
        maxLength={LONGEST}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    )}
  </Field>
);
