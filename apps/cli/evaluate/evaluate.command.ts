import { type Command, Option } from 'commander';
import type { RankingVersion } from '#domain/search/rankings.js';
import { couldNotCheck } from '../exit-code.js';
import { rankingVersionOption } from '../search/ranking-version.option.js';
import { connect, givenClaims, type ServiceOptions } from '../service/connection.js';
import { withOwnService } from '../service/own-service.js';
import { interruptible } from '../terminal/interruptible.js';
import { duration, printJson } from '../terminal/output.js';
import { categoriesOf } from './categories.js';
import { readConversations } from './conversations.js';
import { type Callers, evaluate, type Evaluation } from './evaluation.js';
import { printEvaluation } from './evaluation-table.js';
import { RANKING_NAMES, type RankingName } from './rankings.js';

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
  return { sub, clientFor: (user) => connect(options, { sub, roles: ['agent'], user_id: user }) };
}
