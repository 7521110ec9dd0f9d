import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import type { Json } from '#domain/json.js';
import { DEFAULT_RULES, ruleSetOf, type RuleSet } from '#domain/privacy/rule-set.js';
import { scanJson } from '#domain/privacy/scan-json.js';
import { corpus, REGIONS, type Part } from './corpus.js';
import { outcomeOf, precision, recall, scoresOf, type Score, type Scores } from './measure.js';

// Measures the privacy detector: npm run privacy:score -- [--json] [--train-misses] [--runs <file of JSON lines>]
const { values } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    'train-misses': { type: 'boolean', default: false },
    runs: { type: 'string' },
    seed: { type: 'string', default: '1' },
    'per-template': { type: 'string', default: '10' },
  },
});

const PARTS: readonly Part[] = ['train', 'held'];
const RULES: readonly (readonly [name: string, rules: RuleSet])[] = [
  ['all regions of the corpus', ruleSetOf(REGIONS)],
  ['default regions', DEFAULT_RULES],
];

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const examplesOf = (part: Part) =>
  corpus(part, Number(values.seed), Number(values['per-template']));

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`.padStart(8);
const row = (name: string, score: Score): string =>
  [
    name.padEnd(16),
    String(score.spans).padStart(6),
    percent(recall(score)),
    String(score.falseAlarms).padStart(6),
    percent(precision(score)),
    String(score.leaking).padStart(6),
  ].join(' ');

function table(title: string, { byType, byLanguage, total, structured }: Scores): string {
  return [
    `${title}`,
    `${''.padEnd(16)}  spans   recall  false precision   leak`,
    ...[...byType].map(([type, score]) => row(type, score)),
    ...[...byLanguage].sort().map(([language, score]) => row(`language ${language}`, score)),
    row('structured', structured),
    row('total', total),
    '',
  ].join('\n');
}

const plainScore = (score: Score) => ({
  ...score,
  recall: recall(score),
  precision: precision(score),
});
const plainScores = ({ byType, byLanguage, total, structured }: Scores) => ({
  by_type: Object.fromEntries([...byType].map(([type, score]) => [type, plainScore(score)])),
  by_language: Object.fromEntries(
    [...byLanguage].map(([language, score]) => [language, plainScore(score)]),
  ),
  structured: plainScore(structured),
  total: plainScore(total),
});

/** Prints the spans of `train` that are missed or leak, and its false alarms. The part `held` is never shown. */
function showTrain(rules: RuleSet): void {
  for (const example of examplesOf('train')) {
    const { missed, leaking, falseAlarms } = outcomeOf(example, rules);
    const text = JSON.stringify(example.value);
    const show = (kind: string, type: string, place: unknown): void =>
      say(`${kind} ${type} in ${example.template}: ${JSON.stringify(place)} of ${text}`);
    for (const span of missed) show('missed', span.type, span.plain);
    for (const span of leaking) show('leaks', span.type, span.plain);
    for (const { type, path, span } of falseAlarms) show('false alarm', type, [path, span]);
  }
}

/** Prints how many findings of each type the lines of a file have, and nothing of the lines. */
async function scanRuns(file: string): Promise<void> {
  const counts: Record<string, number> = { lines: 0 };
  const add = (name: string): void => void (counts[name] = (counts[name] ?? 0) + 1);
  for await (const line of createInterface({ input: createReadStream(file) })) {
    if (line.trim() === '') continue;
    add('lines');
    const verdict = scanJson(JSON.parse(line) as Json, DEFAULT_RULES);
    if (verdict.outcome === 'cannot_scan') add(verdict.outcome);
    if (verdict.outcome === 'flagged') for (const { type } of verdict.findings) add(type);
  }
  if (values.json) say(JSON.stringify(counts));
  else for (const [type, number] of Object.entries(counts)) say(`${type.padEnd(16)} ${number}`);
}

if (values.runs !== undefined) await scanRuns(values.runs);
else if (values['train-misses']) showTrain(ruleSetOf(REGIONS));
else {
  const scores = RULES.flatMap(([name, rules]) =>
    PARTS.map((part) => ({ name, part, scores: scoresOf(examplesOf(part), rules) })),
  );
  if (values.json)
    say(
      JSON.stringify(
        scores.map(({ name, part, scores: of }) => ({ part, regions: name, ...plainScores(of) })),
        null,
        2,
      ),
    );
  else for (const { name, part, scores: of } of scores) say(table(`${part}, ${name}`, of));
}
