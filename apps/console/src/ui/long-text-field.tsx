import type { ReactNode } from 'react';
import { TextArea } from './field';

/** The longest free text that the service takes in one field, in characters. */
const LONGEST = 4_000;

interface LongTextFieldProps {
  readonly label: string;
  readonly hint?: ReactNode;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** A field for words of one's own, which must not be empty. */
export const LongTextField = (props: LongTextFieldProps) => (
  <TextArea rows={2} required maxLength={LONGEST} {...props} />
);
