import { useState } from 'react';
import { Button } from './button';
import { VisibleText } from './visible-text';

/** The number of characters that are shown at first. */
const SHOWN = 600;

/** A text that may be long: its beginning, and all of it if the reader asks for it. */
export function LongText({ text }: { readonly text: string }) {
  const [isWhole, setWhole] = useState(false);
  if (text.length <= SHOWN) return <VisibleText text={text} />;
  return (
    <>
      <VisibleText text={isWhole ? text : `${text.slice(0, SHOWN)}…`} />{' '}
      <Button kind="quiet" onClick={() => setWhole(!isWhole)}>
        {isWhole ? 'Show less' : `Show all ${text.length.toLocaleString('en')} characters`}
      </Button>
    </>
  );
}
