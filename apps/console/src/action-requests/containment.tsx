import { Fragment } from 'react';
import { missingParts } from '#domain/action-request/in-evidence.js';
import { VisibleText } from '../ui/visible-text';
import { nearestNumber, type NearNumber } from './written-numbers';
import styles from './review.module.css';
import { partWords, type SoughtPart } from './value-places';

interface Missing {
  readonly part: SoughtPart;
  /** A number that the evidence has in its place. */
  readonly near: NearNumber | undefined;
}

/** More parts are counted and not named. */
const NAMED = 5;

/** Returns the parts of a value that no text has. */
export function missingFrom(
  texts: readonly string[],
  sought: readonly SoughtPart[],
): readonly Missing[] {
  return missingParts(sought, texts).map((part, index) => ({
    part,
    near:
      typeof part.value === 'number' && index < NAMED
        ? nearestNumber(texts, part.value)
        : undefined,
  }));
}

interface ContainmentProps {
  readonly sought: readonly SoughtPart[];
  readonly missing: readonly Missing[];
}

/** Says whether the value stands in the evidence. Whether the evidence means it, only the reader can say. */
export function Containment({ sought, missing }: ContainmentProps) {
  const [only] = sought;
  if (only === undefined) return null;
  const isWhole = only.path.length === 0;
  if (missing.length === 0)
    return (
      <p>
        {foundWords(only, isWhole)}
        {!isWhole && (
          <>
            : <Parts of={sought.map((part) => ({ part }))} />
          </>
        )}
        . You judge whether it holds.
      </p>
    );
  return (
    <p className={styles.missing}>
      ✗{' '}
      {isWhole ? (
        <WholeMissing {...missing[0]!} />
      ) : (
        <>
          The evidence contains {sought.length - missing.length} of {sought.length}{' '}
          {sought.length === 1 ? 'part' : 'parts'} of the value, not <Parts of={missing} />.
        </>
      )}
    </p>
  );
}

const foundWords = ({ value, name }: SoughtPart, isWhole: boolean): string =>
  isWhole && typeof value === 'boolean'
    ? `The evidence speaks of “${name}”`
    : 'The value stands in the evidence';

function WholeMissing({ part: { value, name }, near }: Missing) {
  if (typeof value === 'boolean') return `The evidence has no word for “${name}”.`;
  if (typeof value === 'string' && value.trim().includes(' '))
    return 'The evidence does not say it in these words.';
  return (
    <>
      The evidence does not contain the value
      {near === undefined ? '.' : <>: it says {near.written}.</>}
    </>
  );
}

const Parts = ({
  of: parts,
}: {
  readonly of: readonly (Pick<Missing, 'part'> & Partial<Missing>)[];
}) => (
  <>
    {parts.slice(0, NAMED).map(({ part, near }, index) => (
      <Fragment key={partWords(part)}>
        {index > 0 && ', '}
        <VisibleText text={partWords(part)} />
        {near !== undefined && ` (it says ${near.written})`}
      </Fragment>
    ))}
    {parts.length > NAMED && ` and ${parts.length - NAMED} more`}
  </>
);
