import { type Command, Option } from 'commander';
import type { SearchHit, SearchRequest, SearchResult } from '#client/search.js';
import { SEARCH_KINDS, type SearchKind } from '#domain/search/kinds.js';
import type { RankingVersion } from '#domain/search/rankings.js';
import { connect, type ServiceOptions, withServiceOptions } from '../service/connection.js';
import { coloursFor } from '../terminal/colour.js';
import { instantOf, lastInstantOf, momentOf } from '../terminal/moment.js';
import { counted, printJson } from '../terminal/output.js';
import { shortened, shownText } from '../terminal/shown-text.js';
import { wholeNumberTo } from '../terminal/whole-number.js';
import { rankingVersionOption } from './ranking-version.option.js';

interface SearchOptions extends ServiceOptions {
  readonly kind?: SearchKind[];
  readonly job?: string;
  readonly session?: string;
  readonly since?: string;
  readonly until?: string;
  readonly asOf?: string;
  readonly at?: string;
  readonly limit: number;
  readonly explain?: boolean;
  readonly rankingVersion?: RankingVersion;
  readonly json?: boolean;
}

const SHOWN_CHARACTERS = 300;
const MAX_HITS = 100;

/** `mace search`: finds memory by words, with the event that each hit comes from. */
export const addSearchCommand = (program: Command): Command =>
  withServiceOptions(
    program
      .command('search')
      .summary('find memory by words')
      .description(
        'Searches episodes, facts, items of the Memory Contract, notes, and what running jobs have in memory. ' +
          'Prints the best hits with their scores, their times, and the events that they come from. A hit has ' +
          'each phrase in quotes and no word or phrase with a minus sign. Without a token it searches as an auditor.',
      )
      .argument('<words...>', 'the query')
      .addOption(new Option('--kind <kind...>', 'only these kinds').choices(SEARCH_KINDS))
      .option('--job <seed>', 'only what is in this job')
      .option('--session <id>', 'only what is in this session')
      .option('--since <time>', 'only what was written then or later, by the clock', instantOf)
      .option(
        '--until <time>',
        'only what was written until then; a day counts as a whole',
        lastInstantOf,
      )
      .option('--as-of <position>', 'memory as it was at this position of the log')
      .option('--at <time>', 'memory as it was at this time, such as 2026-11-25T10:32Z', momentOf)
      .option('--limit <n>', 'the number of hits', wholeNumberTo(MAX_HITS), 10)
      .option('--explain', 'also show what each score is made of')
      .addOption(rankingVersionOption())
      .option('--json', 'print the answer as JSON')
      .addHelpText(
        'after',
        '\nExamples:\n  mace search flight to Rome\n' +
          '  mace search \'"red bicycle" -stolen\' --kind episode note --as-of 4711',
      ),
  ).action(async (words: string[], options: SearchOptions) => {
    const client = await connect(options, { sub: 'mace-search', roles: ['auditor'] });
    const answer = await client.search(requestOf(words, options));
    if (options.json) printJson(answer);
    else print(answer);
  });

const requestOf = (words: readonly string[], options: SearchOptions): SearchRequest => ({
  query: words.join(' '),
  max_results: options.limit,
  ...(options.kind && { kinds: options.kind }),
  ...(options.job !== undefined && { job_seed: options.job }),
  ...(options.session !== undefined && { session_id: options.session }),
  ...windowOf(options),
  ...(options.asOf !== undefined && { as_of: options.asOf }),
  ...(options.at !== undefined && { at: options.at }),
  ...(options.explain && { explain: true }),
  ...(options.rankingVersion && { ranking_version: options.rankingVersion }),
});

const windowOf = ({ since: from, until: to }: SearchOptions): Partial<SearchRequest> =>
  from === undefined && to === undefined
    ? {}
    : { recorded_window: { ...(from !== undefined && { from }), ...(to !== undefined && { to }) } };

function print({ hits, as_of, ranking_version }: SearchResult): void {
  const { dim } = coloursFor(process.stdout);
  const lines = hits.flatMap(linesOf);
  const found = hits.length === 0 ? 'Nothing was found' : counted(hits.length, 'hit');
  lines.push(
    dim(`${found} as of position ${as_of}, with version ${ranking_version} of the ranking`),
  );
  process.stdout.write(`${lines.join('\n')}\n`);
}

function linesOf(hit: SearchHit, index: number): string[] {
  const { kind, id, text, score, shown_at, source, note, explanation } = hit;
  const { bold, dim, cyan } = coloursFor(process.stdout);
  const name = note === undefined ? id : `${note.namespace.join('/')} ${note.key}`;
  const place = String(index + 1).padStart(3);
  const indent = ' '.repeat(place.length);
  return [
    `${place}  ${bold(shortened(text, SHOWN_CHARACTERS))}`,
    `${indent}  ${cyan(kind)} ${shownText(name)}`,
    dim(`${indent}  score ${score.toFixed(3)}  ${shown_at}  ${source.stream}@${source.number}`),
    ...(explanation === undefined ? [] : [dim(`${indent}  ${explained(explanation)}`)]),
  ];
}

/** The parts of a score beside those of the terms. */
const AROUND = ['previous', 'next', 'window', 'group'] as const;

/** Returns what makes a score, such as `(rome 1.204 + window 0.511) × label 1.6`. */
function explained(explanation: NonNullable<SearchHit['explanation']>): string {
  const parts = [
    ...explanation.terms.map(({ term, score }) => [term, score] as const),
    ...AROUND.map((name) => [name, explanation[name]] as const),
  ]
    .filter(([, part]) => part > 0)
    .map(([name, part]) => `${name} ${part.toFixed(3)}`);
  const factors = Object.entries(explanation.multipliers).map(
    ([name, factor]) => ` × ${name} ${JSON.stringify(factor)}`,
  );
  return `= (${parts.join(' + ')})${factors.join('')}`;
}
