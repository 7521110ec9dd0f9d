import { Fragment, type ReactNode } from 'react';
import type { Json } from '#client/index.js';
import { Badge } from '../ui/badge';
import { VisibleText } from '../ui/visible-text';
import { isFields } from './changed-paths';
import styles from './changes.module.css';
import { isList, type Path, scalarText, withheldWords } from './values';

interface Field {
  readonly depth: number;
  readonly name: string;
  /** The values in the line of the field; none if its parts follow. */
  readonly values: readonly Json[];
}

/** The levels that are indented further. */
const DEEPEST = 5;

function* fieldsOf(value: Json, depth = 0): Generator<Field> {
  const parts = isList(value)
    ? value.map((part, index) => [String(index + 1), part] as const)
    : Object.entries(value as object as Record<string, Json>);
  for (const [name, part] of parts) {
    if (!hasParts(part)) yield { depth, name, values: [part] };
    else if (isShortList(part)) yield { depth, name, values: part };
    else {
      yield { depth, name, values: [] };
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
      !hasParts(item) && scalarText(item).length <= SHORT && !scalarText(item).includes(','),
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
            {field.values.map((item, place) => (
              <Fragment key={place}>
                {place > 0 && ', '}
                <Scalar value={item} show={show} />
              </Fragment>
            ))}
          </li>
        ))}
      </ul>
      {left > 0 && <p>… and {left.toLocaleString('en')} more</p>}
    </>
  );
}

const visible = (text: string): ReactNode => <VisibleText text={text} />;

interface ScalarProps {
  readonly value: Json;
  readonly show?: (text: string) => ReactNode;
}

/** A value without parts: a text in the font of prose, others in that of identifiers, what is withheld as a chip. */
export function Scalar({ value, show = visible }: ScalarProps) {
  const withheld = withheldWords(value);
  if (withheld !== undefined) return <Badge kind="warning">{withheld}</Badge>;
  const text = show(scalarText(value));
  return typeof value === 'string' && value.includes(' ') ? (
    <span>{text}</span>
  ) : (
    <code>{text}</code>
  );
}

/** The texts that `ValueFields` shows of a value. */
export function textsOf(value: Json): string[] {
  if (withheldWords(value) !== undefined) return [];
  return hasParts(value)
    ? [...fieldsOf(value)].flatMap(({ name, values }) => [name, ...values.flatMap(textsOf)])
    : [scalarText(value)];
}

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
