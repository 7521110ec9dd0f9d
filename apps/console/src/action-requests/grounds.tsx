import type { Json } from '#client/index.js';
import { textsOf } from '../changes/value-fields';
import { VisibleText } from '../ui/visible-text';
import { readEntry } from './evidence-entry';
import styles from './review.module.css';
import type { StandingFact } from './standing-facts';

/** Longer grounds, in characters, are folded, and the longest are cut. */
const SHORT = 200;
const LONGEST = 4_000;

/** What the approved request of a fact rested on. Nothing if nobody approved it. */
export function Grounds({ of }: { readonly of: StandingFact | null }) {
  const grounds = of?.grounds ?? null;
  if (grounds === null) return null;
  const { evidence, justification } = grounds;
  const said = evidence.flatMap((entry) => readEntry(entry).content).flatMap(wordsIn);
  const text = said.length > 0 ? said.join(' … ') : justification;
  const name = said.length > 0 ? 'Its evidence' : 'Its justification';
  const words = <VisibleText text={text.slice(0, LONGEST)} />;
  if (text.length > SHORT)
    return (
      <details className={styles.small}>
        <summary>{name}</summary>
        {words}
        {text.length > LONGEST && ' …'}
      </details>
    );
  return (
    <p className={styles.small}>
      {name}: “{words}”
    </p>
  );
}

const wordsIn = (content: Json): string[] =>
  typeof content === 'string' ? [content] : textsOf(content);
