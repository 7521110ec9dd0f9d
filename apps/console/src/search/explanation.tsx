import type { SearchHit } from '#client/index.js';
import { Approval } from '../ui/approval';
import { type Column, DataTable } from '../ui/data-table';
import { VisibleText } from '../ui/visible-text';
import styles from './search.module.css';

type Explained = NonNullable<SearchHit['explanation']>;

interface ExplanationProps {
  readonly of: string;
  readonly explanation: Explained;
  readonly score: number;
}

const CONTEXT = {
  previous: 'The entry before it',
  next: 'The entry after it',
  window: 'The entries around it',
  group: 'Its job or session as a whole',
} as const;
const CONTEXT_NAMES = Object.keys(CONTEXT) as (keyof typeof CONTEXT)[];

/** Why the sum of the parts is multiplied. */
const BECAUSE: Readonly<Record<string, string>> = {
  label: 'it is labelled with the name that the search names',
  question: 'it is a question itself',
  period: 'it is from the period that the search names',
  number: 'it has a number, and the search asks for one',
};

interface Part {
  readonly name: string;
  readonly score: string;
}

const COLUMNS: readonly Column<Part>[] = [
  { name: 'Part', cell: ({ name }) => <VisibleText text={name} /> },
  { name: 'Score', cell: ({ score }) => score, isNumber: true },
];

const partsOf = (explanation: Explained, score: number): readonly Part[] => [
  ...explanation.terms.map(({ term, score: part }) => ({
    name: `The word ${term}`,
    score: String(part),
  })),
  ...CONTEXT_NAMES.filter((name) => explanation[name] !== 0).map((name) => ({
    name: CONTEXT[name],
    score: String(explanation[name]),
  })),
  ...factorsOf(explanation).map(([name, factor]) => ({
    name: `Multiplied, because ${BECAUSE[name] ?? name}`,
    score: `× ${factor}`,
  })),
  { name: 'Score', score: String(score) },
];

/** How a score came about, in words and as a table. */
export function Explanation({ of, explanation, score }: ExplanationProps) {
  return (
    <div className={styles.explanation}>
      <p>{inWords(explanation, score)}</p>
      {explanation.approved_by && (
        <p>
          Approved by <Approval by={explanation.approved_by} />
        </p>
      )}
      <DataTable
        label={`The parts of the score of ${of}`}
        columns={COLUMNS}
        rows={partsOf(explanation, score)}
        keyOf={({ name }) => name}
        empty={null}
      />
    </div>
  );
}

const factorsOf = ({ multipliers }: Explained): (readonly [name: string, factor: string])[] =>
  Object.entries(multipliers).map(([name, factor]) => [name, JSON.stringify(factor)]);

const listed = (words: readonly string[]): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;

function inWords(explanation: Explained, score: number): string {
  const { terms } = explanation;
  const found = terms.filter(({ score: part }) => part > 0);
  const best = found.toSorted((left, right) => right.score - left.score).slice(0, 5);
  const words = best.map(({ term }) => `“${term}”`);
  const own =
    words.length === 0
      ? 'Its own text has none of the words.'
      : `It has ${listed(words)}${found.length > best.length ? ' and more' : ''}.`;
  const around = CONTEXT_NAMES.filter((name) => explanation[name] > 0).map((name) =>
    CONTEXT[name].charAt(0).toLowerCase().concat(CONTEXT[name].slice(1)),
  );
  const context = around.length === 0 ? '' : ` The words also occur in ${listed(around)}.`;
  const factors = factorsOf(explanation).map(
    ([name, factor]) => ` The sum is multiplied by ${factor}, because ${BECAUSE[name] ?? name}.`,
  );
  return `${own}${context}${factors.join('')} That makes ${score}.`;
}
