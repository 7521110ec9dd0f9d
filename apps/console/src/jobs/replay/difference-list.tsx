import { useState } from 'react';
import { Button } from '../../ui/button';
import { VisibleText } from '../../ui/visible-text';
import type { Change, Verb } from './difference';
import styles from './replay.module.css';

const SIGNS: Readonly<Record<Verb, string>> = { came: '+', changed: '~', left: '−' };
const FIRST_ROWS = 12;
const MAX_VALUE = 500;

/** What the event at the cursor changed. */
export function DifferenceList({ changes }: { readonly changes: readonly Change[] }) {
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? changes : changes.slice(0, FIRST_ROWS);
  return (
    <section className={styles.panel} aria-labelledby="difference">
      <h2 id="difference">Difference to the step before</h2>
      {changes.length === 0 && (
        <p className={styles.muted}>The event changed nothing in the state.</p>
      )}
      <ul className={styles.changes}>
        {shown.map(({ verb, what, value }) => (
          <li key={`${verb} ${what}`} data-verb={verb}>
            <span className={styles.verb}>
              <span aria-hidden>{SIGNS[verb]}</span> {verb}
            </span>
            <span>
              {what}
              {value !== undefined && (
                <>
                  : <VisibleText text={value.slice(0, MAX_VALUE)} />
                </>
              )}
            </span>
          </li>
        ))}
      </ul>
      {changes.length > FIRST_ROWS && (
        <Button kind="quiet" onClick={() => setWhole(!isWhole)}>
          {isWhole ? 'Show fewer' : `Show all ${changes.length} changes`}
        </Button>
      )}
    </section>
  );
}
