import { useState } from 'react';
import type { Json } from '#client/index.js';
import { Button } from './button';
import styles from './json-view.module.css';
import { textOf } from './value-text';
import { VisibleText } from './visible-text';

/** The number of characters that are shown at first. */
const SHOWN = 4_000;

/** A JSON value, verbatim. A long one is cut until the reader asks for all of it. */
export function JsonView({ value, label }: { readonly value: Json; readonly label: string }) {
  const [isWhole, setWhole] = useState(false);
  const text = textOf(value);
  const isLong = text.length > SHOWN;
  return (
    <figure className={styles.figure} aria-label={label}>
      {/* A block that scrolls can be reached and scrolled by keyboard. */}
      <pre className={styles.json} tabIndex={0} role="region" aria-label={label}>
        <VisibleText text={isWhole ? text : text.slice(0, SHOWN)} />
      </pre>
      {isLong && (
        <Button kind="quiet" onClick={() => setWhole(!isWhole)}>
          {isWhole ? 'Show less' : `Show all ${text.length.toLocaleString('en')} characters`}
        </Button>
      )}
    </figure>
  );
}
