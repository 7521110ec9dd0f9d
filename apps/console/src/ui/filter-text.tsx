import { TextField } from './field';
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
  return <TextField label={label} hint={hint} type="search" value={typed} onChange={type} />;
}
