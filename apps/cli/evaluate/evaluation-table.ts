import { coloursFor } from '../terminal/colour.js';
import { counted } from '../terminal/output.js';
import type { Evaluation, RankingReport } from './evaluation.js';
import type { Figures } from './figures.js';

const COLUMNS = ['recall@5', 'recall@10', 'recall@20', 'any@5', 'all@5', 'mrr'] as const;
const LATENCIES = ['p50', 'p95'] as const;
const QUESTIONS = 'questions';

/** Prints what was evaluated, and a table with a row for each ranking and for each part of its questions. */
export function printEvaluation(evaluation: Evaluation): void {
  const { bold, dim } = coloursFor(process.stdout);
  const { conversations, turns, questions, without_evidence, cut_turns } = evaluation;
  const lines = [
    `${counted(conversations, 'conversation')}, ${counted(turns, 'turn')}, ${counted(questions, 'question')}`,
  ];
  if (without_evidence > 0)
    lines.push(
      dim(`${counted(without_evidence, 'question')} without evidence: not in the figures`),
    );
  if (cut_turns > 0)
    lines.push(
      dim(`${counted(cut_turns, 'turn')} cut to 2,000 characters, the most of an episode`),
    );
  lines.push(dim(`the row of a ranking covers the ${coveredOf(evaluation)}`), '');
  const reports = Object.entries(evaluation.rankings);
  const width = Math.max(
    ...reports.flatMap(([name, report]) =>
      [name, ...partsOf(report).map(([part]) => part)].map(lengthOf),
    ),
  );
  const header = [QUESTIONS, ...COLUMNS, ...LATENCIES].map((name) => name.padStart(cellOf(name)));
  lines.push(dim(`${' '.repeat(width)}  ${header.join('  ')}`));
  for (const [name, report] of reports) {
    const latency = [report.p50_ms, report.p95_ms].map((ms) => `${ms.toFixed(1)} ms`.padStart(8));
    lines.push(`${bold(name.padEnd(width))}  ${row(report)}  ${latency.join('  ')}`);
    for (const [part, figures] of partsOf(report))
      lines.push(`${part.padEnd(width)}  ${row(figures)}`);
  }
  process.stdout.write(`${lines.join('\n')}\n`);
}

const lengthOf = (text: string): number => text.length;
const cellOf = (column: string): number => Math.max(column.length, 8);

const row = (figures: Figures): string =>
  [
    figures.questions.toLocaleString('en').padStart(cellOf(QUESTIONS)),
    ...COLUMNS.map((name) => (figures[name]?.toFixed(3) ?? '–').padStart(cellOf(name))),
  ].join('  ');

const coveredOf = ({ categories }: Evaluation): string =>
  `${categories.length === 1 ? 'category' : 'categories'} ${categories.join(', ')}`;

const partsOf = ({ by_category, by_conversation = {} }: RankingReport): [string, Figures][] => [
  ...Object.entries(by_category).map(([name, its]): [string, Figures] => [
    `  category ${name}`,
    its,
  ]),
  ...Object.entries(by_conversation).map(([name, its]): [string, Figures] => [`  ${name}`, its]),
];
