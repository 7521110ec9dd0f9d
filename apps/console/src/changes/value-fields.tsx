import { Fragment, type ReactNode } from 'react';
import type { Json } from '#client/index.js';
import { Badge } from '../ui/badge';
import { VisibleText } from '../ui/visible-text';
import { isFields } from './changed-paths';
import styles from './changes.module.css';
import { isList, keyText, type Path, scalarText, withheldWords } from './values';

interface Field {
  readonly depth: number;
  readonly name: string;
  /** What stands in the line of the field: a scalar or a short list; undefined if its parts follow. */
  readonly value: Json | undefined;
}

/** The levels that are indented further. */
const DEEPEST = 5;

function* fieldsOf(value: Json, depth = 0): Generator<Field> {
  const parts = isList(value)
    ? value.map((part, index) => [String(index + 1), part] as const)
    : Object.entries(value as object as Record<string, Json>).map(
        ([key, part]) => [keyText(key), part] as const,
      );
  for (const [name, part] of parts) {
    if (!hasParts(part) || isShortList(part)) yield { depth, name, value: part };
    else {
      yield { depth, name, value: undefined };
      yield* fieldsOf(part, Math.min(depth + 1, DEEPEST));
    }
  }
}

const hasParts = (value: Json): boolean =>
  (isList(value) ? value.length > 0 : isFields(value) && Object.keys(value).length > 0) &&
  withheldWords(value) === undefined;

/** The longest text in a list that is shown in one line. */
const SHORT = 40;

/** True for a list whose items stay apart with commas between them. */
const isShortList = (value: Json): value is readonly Json[] =>
  isList(value) &&
  value.every(
    (item) =>
      !hasParts(item) && scalarText(item).length <= SHORT && !/[,\][\n\r]/.test(scalarText(item)),
  );

interface ValueFieldsProps {
  readonly value: Json;
  /** How many fields are shown at most. */
  readonly limit?: number;
  /** Shows a text of the value. */
  readonly show?: (text: string) => ReactNode;
}

/** A value to be read: a text as it is, an object as `name: value`, nested ones indented. */
export function ValueFields({ value, limit = Infinity, show = visible }: ValueFieldsProps) {
  if (!hasParts(value)) return <Scalar value={value} show={show} />;
  const fields = [...fieldsOf(value)];
  const left = fields.length - limit;
  return (
    <>
      <ul className={styles.fields}>
        {fields.slice(0, limit).map((field, index) => (
          <li key={index} data-depth={field.depth}>
            <code className={styles.name}>
              <VisibleText text={field.name} />:
            </code>{' '}
            {field.value !== undefined && <InLine value={field.value} show={show} />}
          </li>
        ))}
      </ul>
      {left > 0 && <LeftOut count={left} what="more" />}
    </>
  );
}

interface LeftOutProps {
  readonly count: number;
  readonly what: string;
}

/** Says how much is left out. The box around a value that is not shown to its end finds it by its mark. */
export const LeftOut = ({ count, what }: LeftOutProps) => (
  <p data-cut>
    … and {count.toLocaleString('en')} {what}
  </p>
);

const visible = (text: string): ReactNode => <VisibleText text={text} />;

interface ScalarProps {
  readonly value: Json;
  readonly show?: (text: string) => ReactNode;
}

/** A scalar, or a short list in brackets. */
const InLine = ({ value, show }: ScalarProps) =>
  isShortList(value) && value.length > 0 ? (
    <>
      [
      {value.map((item, place) => (
        <Fragment key={place}>
          {place > 0 && ', '}
          <Scalar value={item} show={show} />
        </Fragment>
      ))}
      ]
    </>
  ) : (
    <Scalar value={value} show={show} />
  );

/**
 * A value without parts: a text in the font of prose, others in that of identifiers, what is withheld as a chip. The
 * lines of a text have a border, so that none of them is taken for a field.
 */
export function Scalar({ value, show = visible }: ScalarProps) {
  const withheld = withheldWords(value);
  if (withheld !== undefined)
    return (
      <Badge kind="warning" title={JSON.stringify(value)}>
        {withheld}
      </Badge>
    );
  const words = scalarText(value);
  const text = show(words);
  if (typeof value !== 'string') return <code>{text}</code>;
  if (/[\n\r]/.test(words))
    return (
      <span className={styles.lines} data-lines>
        {text}
      </span>
    );
  return value.includes(' ') ? <span>{text}</span> : <code>{text}</code>;
}

/** The texts that `ValueFields` shows of a value. */
export function textsOf(value: Json): string[] {
  if (withheldWords(value) !== undefined) return [];
  return hasParts(value)
    ? [...fieldsOf(value)].flatMap(({ name, value: part }) => [name, ...inLineTexts(part)])
    : [scalarText(value)];
}

const inLineTexts = (value: Json | undefined): string[] => {
  if (value === undefined) return [];
  return isList(value) ? value.flatMap(textsOf) : textsOf(value);
};

/** The paths and values of the parts that have no parts themselves. */
export function* leavesOf(value: Json, path: Path = []): Generator<{ path: Path; value: Json }> {
  if (!hasParts(value)) yield { path, value };
  else if (isList(value))
    for (const [index, part] of value.entries()) yield* leavesOf(part, [...path, index]);
  else
    for (const [name, part] of Object.entries(value as object as Record<string, Json>))
      yield* leavesOf(part, [...path, name]);
}

/** The lines that `ValueFields` has for a value. */
export const fieldCount = (value: Json): number =>
  hasParts(value) ? [...fieldsOf(value)].length : 1;
