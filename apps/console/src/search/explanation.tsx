import type { SearchHit } from '#client/index.js';
import { DataTable } from '../ui/data-table';
import { VisibleText } from '../ui/visible-text';
import styles from './search.module.css';

type Explained = NonNullable<SearchHit['explanation']>;

interface ExplanationProps {
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

/** How a score came about, in words and as a table. */
export function Explanation({ explanation, score }: ExplanationProps) {
  const { terms } = explanation;
  return (
    <div className={styles.explanation}>
      <p>{inWords(explanation, score)}</p>
      <DataTable label="The parts of the score" columns={['Part', 'Score']}>
        {terms.map(({ term, score: part }) => (
          <tr key={term}>
            <th scope="row">
              The word <VisibleText text={term} />
            </th>
            <td>{part}</td>
          </tr>
        ))}
        {CONTEXT_NAMES.filter((name) => explanation[name] !== 0).map((name) => (
          <tr key={name}>
            <th scope="row">{CONTEXT[name]}</th>
            <td>{explanation[name]}</td>
          </tr>
        ))}
        {factorsOf(explanation).map(([name, factor]) => (
          <tr key={name}>
            <th scope="row">Multiplied, because {BECAUSE[name] ?? name}</th>
            <td>× {factor}</td>
          </tr>
        ))}
        <tr>
          <th scope="row">Score</th>
          <td>
            <b>{score}</b>
          </td>
        </tr>
      </DataTable>
    </div>
  );
}

const factorsOf = ({ multipliers }: Explained): (readonly [name: string, factor: string])[] =>
  Object.entries(multipliers).map(([name, factor]) => [name, JSON.stringify(factor)]);

const listed = (words: readonly string[]): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;

function inWords(explanation: Explained, score: number): string {
  const { terms } = explanation;
  const best = terms.toSorted((left, right) => right.score - left.score).slice(0, 5);
  const words = best.map(({ term }) => `“${term}”`);
  const own =
    words.length === 0
      ? 'Its own text has none of the words.'
      : `It has ${listed(words)}${terms.length > best.length ? ' and more' : ''}.`;
  const around = CONTEXT_NAMES.filter((name) => explanation[name] > 0).map((name) =>
    CONTEXT[name].charAt(0).toLowerCase().concat(CONTEXT[name].slice(1)),
  );
  const context = around.length === 0 ? '' : ` The words also occur in ${listed(around)}.`;
  const factors = factorsOf(explanation).map(
    ([name, factor]) => ` The sum is multiplied by ${factor}, because ${BECAUSE[name] ?? name}.`,
  );
  return `${own}${context}${factors.join('')} That makes ${score}.`;
}
