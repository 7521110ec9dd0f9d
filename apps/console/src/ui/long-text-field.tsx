import type { ReactNode } from 'react';
import { MAX_CHARACTERS } from '#domain/free-text.js';
import { TextArea } from './field';

interface LongTextFieldProps {
  readonly label: string;
  readonly hint?: ReactNode;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** A field for words of one's own, which must not be empty. */
export const LongTextField = (props: LongTextFieldProps) => (
  <TextArea rows={2} required maxLength={MAX_CHARACTERS} {...props} />
);
