import { useEffect, useState } from 'react';
import { Field } from './field';

interface FilterTextProps {
  readonly label: string;
  readonly hint?: string;
  /** The value in the URL. */
  readonly value: string | undefined;
  readonly onChange: (value: string) => void;
}

/** The time without a key after which the list is read again. */
const PAUSE_MS = 300;

/** A text that filters a list. It reaches the URL after a short pause in the typing. */
export function FilterText({ label, hint, value = '', onChange }: FilterTextProps) {
  const [typed, setTyped] = useState(value);
  useEffect(() => {
    if (typed === value) return undefined;
    const timer = setTimeout(() => onChange(typed), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed, value, onChange]);
  return (
    <Field label={label} hint={hint}>
      {(field) => (
        <input
          {...field}
          type="search"
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
      )}
    </Field>
  );
}
