import type { Json } from '#client/index.js';
import { VisibleText } from '../ui/visible-text';
import { diffOf, type DiffPart } from './line-diff';
import { textOf } from '../ui/value-text';
import styles from './value-diff.module.css';

interface ValueDiffProps {
  readonly before: Json;
  readonly after: Json;
  readonly label: string;
}

/** What changes between two values. Each change is named in words, which a screen reader reads. */
export function ValueDiff({ before, after, label }: ValueDiffProps) {
  const [left, right] = [textOf(before), textOf(after)];
  if (left === right) return <p>The values are equal.</p>;
  return (
    <pre className={styles.diff} tabIndex={0} role="region" aria-label={label}>
      <DiffText before={left} after={right} />
    </pre>
  );
}

/** Two texts in one, with what was taken out and what was put in marked. */
export const DiffText = ({ before, after }: { readonly before: string; readonly after: string }) =>
  diffOf(before, after).map((part, index) => <Part key={index} part={part} />);

function Part({ part: { kind, text } }: { readonly part: DiffPart }) {
  switch (kind) {
    case 'same':
      return <VisibleText text={text} />;
    case 'removed':
      return (
        <del>
          <span className="visually-hidden">removed </span>
          <VisibleText text={text} />
        </del>
      );
    case 'added':
      return (
        <ins>
          <span className="visually-hidden">added </span>
          <VisibleText text={text} />
        </ins>
      );
  }
}
