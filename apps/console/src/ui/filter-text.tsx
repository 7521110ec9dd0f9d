import { Field } from './field';
import { useTyped } from './use-typed';

interface FilterTextProps {
  readonly label: string;
  readonly hint?: string;
  /** The value that the list is filtered by. */
  readonly value: string | undefined;
  readonly onChange: (value: string) => void;
}

/** A text that filters a list. It takes effect after a short pause in the typing. */
export function FilterText({ label, hint, value = '', onChange }: FilterTextProps) {
  const [typed, type] = useTyped(value, onChange);
  return (
    <Field label={label} hint={hint}>
      {(field) => (
        <input
          {...field}
          type="search"
          value={typed}
          onChange={(event) => type(event.target.value)}
        />
      )}
    </Field>
  );
}
