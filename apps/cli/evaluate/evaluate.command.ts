import { type Command, Option } from 'commander';
import type { RankingVersion } from '#domain/search/rankings.js';
import { couldNotCheck } from '../exit-code.js';
import { rankingVersionOption } from '../search/ranking-version.option.js';
import { clientOf, givenClaims, saySource, type ServiceOptions } from '../service/connection.js';
import { withOwnService } from '../service/own-service.js';
import { coloursFor } from '../terminal/colour.js';
import { interruptible } from '../terminal/interruptible.js';
import { duration, printJson, counted } from '../terminal/output.js';
import { categoriesOf } from './categories.js';
import { readConversations } from './conversations.js';
import { type Callers, evaluate, type Evaluation, type RankingReport } from './evaluation.js';
import type { Figures } from './figures.js';
import { RANKING_NAMES, type RankingName } from './rankings.js';

const COLUMNS = ['recall@5', 'recall@10', 'recall@20', 'any@5', 'all@5', 'mrr'] as const;
const LATENCIES = ['p50', 'p95'] as const;
const QUESTIONS = 'questions';

/** Prints what was evaluated, and a table with a row for each ranking and for each part of its questions. */
function printEvaluation(evaluation: Evaluation): void {
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

interface EvaluateOptions extends ServiceOptions {
  readonly ranking: readonly RankingName[];
  readonly rankingVersion?: RankingVersion;
  readonly categories?: readonly string[];
  readonly byConversation?: boolean;
  readonly json?: boolean;
}

const SUB = 'mace-evaluate';

/** `mace evaluate`: measures how much of the evidence each ranking finds. */
export const addEvaluateCommand = (program: Command): Command =>
  program
    .command('evaluate')
    .summary('measure how well memory finds on your own conversations')
    .description(
      'Reads one conversation per line:\n' +
        '  {"conversation": …, "turns": [{"id", "session", "time", "speaker", "text"}, …],\n' +
        '   "questions": [{"question", "evidence": [ids of turns], "category"?}, …]}\n\n' +
        'Starts a service of its own in a temporary folder, imports the conversations (a job for each session, ' +
        'an episode for each turn), asks every question, and prints how much of the evidence each ranking ' +
        'found among the first 5, 10 and 20 hits, and how long a question took.\n\n' +
        'With --url it uses a service that runs. Each conversation then belongs to a user of its own, and is ' +
        'imported once, however often it is evaluated; its events stay.',
    )
    .argument('<file.jsonl>', 'the conversations')
    .addOption(
      new Option('--ranking <ranking...>', 'the rankings to measure')
        .choices(RANKING_NAMES)
        .default(RANKING_NAMES),
    )
    .addOption(rankingVersionOption())
    .option(
      '--categories <list>',
      'the categories that the overall figures cover, separated by commas (default: all, but not the fifth ' +
        'if they are the numbers 1 to 5 of the LoCoMo set, where it asks for what was never said)',
      (list: string) => list.split(',').map((category) => category.trim()),
    )
    .option('--by-conversation', 'also show the figures of each conversation')
    .option('--url <url>', 'a service that runs (default: a service of its own)')
    .option(
      '--token <token>',
      'with --url: an agent’s token without a user (default: MACE_TOKEN, else tokens minted with the data ' +
        'directory’s secret)',
    )
    .option('--json', 'print the figures as JSON')
    .addHelpText(
      'after',
      '\nExamples:\n  mace evaluate conversations.jsonl\n' +
        '  mace evaluate conversations.jsonl --json | jq \'.rankings.relevance["recall@10"]\'',
    )
    .action(async (path: string, options: EvaluateOptions) => {
      const began = Date.now();
      const evaluation = await evaluateFile(path, options);
      const took = Date.now() - began;
      if (options.json) return printJson({ ...evaluation, duration_ms: took });
      printEvaluation(evaluation);
      process.stdout.write(`\nMeasured in ${duration(took)}.\n`);
    });

async function evaluateFile(path: string, options: EvaluateOptions): Promise<Evaluation> {
  const conversations = await readConversations(path);
  if (
    conversations.every(({ questions }) => questions.every(({ evidence }) => evidence.length === 0))
  )
    throw couldNotCheck(`${path} has no question with evidence, so there is nothing to measure.`);
  const categories = categoriesOf(conversations, options.categories);
  const evaluated = (callers: Callers, signal: AbortSignal) =>
    evaluate(conversations, {
      rankings: options.ranking,
      version: options.rankingVersion,
      categories,
      byConversation: options.byConversation ?? false,
      signal,
      callers,
    });
  return interruptible(async (signal) => {
    if (options.url !== undefined) return evaluated(callersOf(options), signal);
    process.stderr.write('A service of its own starts in a temporary folder …\n');
    return withOwnService('evaluate', signal, ({ as }) =>
      evaluated({ sub: SUB, clientFor: (user) => as(SUB, 'agent', user) }, signal),
    );
  });
}

/** Returns the callers for a service that runs. A given token acts for every user, so it may not have one itself. */
function callersOf(options: EvaluateOptions): Callers {
  const { sub = SUB, user_id } = givenClaims(options) ?? {};
  if (user_id !== undefined)
    throw couldNotCheck(
      'The token has a user_id. Each conversation belongs to a user of its own: give an agent’s token without one.',
    );
  const claims = { sub, roles: ['agent'] } as const;
  saySource(options, claims);
  return { sub, clientFor: (user) => clientOf(options, { ...claims, user_id: user }) };
}
