import { RULE_SET_VERSION } from '#domain/privacy/finding.js';
import { DEFAULT_RULES } from '#domain/privacy/rule-set.js';
import { scanText } from '#domain/privacy/scan-text.js';
import { route } from '#domain/router/route.js';
import { latencies, perSecond, type Report, type Row, type Target } from '../harness/report.js';
import { type RunningService, startServiceOn } from '../harness/service.js';
import type { Setting } from '../harness/setting.js';
import { TimedCaller } from '../harness/timed-caller.js';

const QUESTIONS = [
  'What is my favourite colour?',
  'Integrate x^2 dx',
  "What is Ohm's law?",
  'Remember my favorite food is pizza',
  'Write a short poem about rains',
  'Do something weird and unknown',
];
const VERDICT = { outcome: 'clear', rule_set_version: RULE_SET_VERSION } as const;
const FACT = '/v1/sem/user/profile/user_ada/favorite_color';
const QUESTION = { query_text: 'What is my favourite colour?', user_id: 'ada' };

/** A text of 200 characters with a long number that looks like personal data to the gate but is harmless. */
const SUSPICIOUS = 'the invoice 4111 1111 1111 1112 of 2026-11-22 went to box 17, '
  .repeat(4)
  .slice(0, 200);
const HARMLESS = 'The quick brown fox jumps over the lazy dog and runs into the wood, '
  .repeat(3)
  .slice(0, 200);

/** Long texts of the kinds that take the gate longest for each character, as a search for the slowest found. */
const HOSTILE = [
  '1 ',
  '4 ',
  '\u0661 ',
  `tel ${'0 '.repeat(24)}`,
  `id no ${'1 '.repeat(24)}`,
  '1 rue ',
]
  .concat(
    `tel ${'2 1 0 1 3 0 1 1 4 0 0 1 '.repeat(2)}`,
    'tel. no 1 1 1 1 1 1 1 ',
    'Lindenstraße 1 ',
  )
  .map((piece) => piece.repeat(Math.ceil(20_000 / piece.length)));
const PROSE = HARMLESS.repeat(100);

const ROUTES_TARGET = 200_000;
const SUSPICIOUS_TARGET = 5_000;
const HARMLESS_TARGET_US = 10;
const HOSTILE_TARGET_US = 3;
const QUERY_TARGET_MS = 8;

function timed(name: string, count: number, turn: (index: number) => void): Row {
  for (let index = 0; index < count / 10; index += 1) turn(index);
  const began = performance.now();
  for (let index = 0; index < count; index += 1) turn(index);
  return perSecond(name, count, performance.now() - began);
}

/** Returns the µs for each character of a text. */
function microsecondsEach(text: string): number {
  const { value } = timed('', 20, () => void scanText(text, DEFAULT_RULES));
  return 1_000_000 / (value * text.length);
}

/** Measures the slowest of the hostile texts, beside prose. */
function slowest(): { readonly row: Row; readonly target: Target } {
  const each = Math.max(...HOSTILE.map(microsecondsEach));
  const prose = microsecondsEach(PROSE);
  const note = `${each.toFixed(2)} µs a character; prose ${prose.toFixed(3)} µs, so ${Math.round(each / prose)} times as much`;
  return {
    row: {
      ...{ name: 'the gate, characters of the slowest hostile text', note },
      ...{ value: 1_000_000 / each, unit: 'per second' },
    },
    target: {
      what: 'the gate, hostile: at most 3 µs a character',
      measured: `${each.toFixed(2)} µs`,
      reached: each <= HOSTILE_TARGET_US,
    },
  };
}

/** Case (queries): one query after the other. Each query's log is durable before its answer is sent. */
export async function queries(setting: Setting): Promise<Report> {
  const routes = timed('routes in process, the gate’s verdict given', 1_000_000, (index) => {
    const query_text = QUESTIONS[index % QUESTIONS.length] ?? '';
    route({ query_text, user_id: 'ada', toggles: {}, verdict: VERDICT });
  });
  const flagged = timed('the gate, suspicious texts of 200 characters', 20_000, () => {
    scanText(SUSPICIOUS, DEFAULT_RULES);
  });
  const harmless = timed('the gate, harmless texts of 200 characters', 500_000, () => {
    scanText(HARMLESS, DEFAULT_RULES);
  });
  const hostile = slowest();
  const service = await startServiceOn(setting);
  try {
    const asked = await latenciesOf(service, setting.sized(500));
    return {
      rows: [routes, flagged, harmless, hostile.row, ...asked],
      targets: [...targetsOn(routes, flagged, harmless, asked[0]), hostile.target],
    };
  } finally {
    await service.stop();
  }
}

/** Measures a warm service and one that has just started. */
async function latenciesOf(
  service: RunningService,
  count: number,
): Promise<readonly [Row, Row, Row]> {
  await service.send('PUT', FACT, { value: 'blue' });
  const caller = new TimedCaller(service);
  const next = async (calls: number): Promise<number[]> => {
    const sample: number[] = [];
    for (let index = 0; index < calls; index += 1)
      sample.push(await caller.post('/v1/queries', QUESTION));
    return sample;
  };
  const what = 'a query that needs no model, over HTTP';
  const [first] = latencies(`${what}, the first ${count} after a start`, await next(count));
  await next(count);
  const [p50, p99] = latencies(what, await next(count));
  caller.close();
  return [p50, p99, first];
}

const targetsOn = (routes: Row, flagged: Row, harmless: Row, p50: Row): Target[] => {
  const microseconds = 1_000_000 / harmless.value;
  return [
    {
      what: 'routes: at least 200,000 a second',
      measured: `${Math.round(routes.value)} /s`,
      reached: routes.value >= ROUTES_TARGET,
    },
    {
      what: 'the gate, suspicious: at least 5,000 a second',
      measured: `${Math.round(flagged.value)} /s`,
      reached: flagged.value >= SUSPICIOUS_TARGET,
    },
    {
      what: 'the gate, harmless: at most 10 µs a text',
      measured: `${microseconds.toFixed(2)} µs`,
      reached: microseconds <= HARMLESS_TARGET_US,
    },
    {
      what: 'a query that needs no model: p50 under 8 ms',
      measured: `${p50.value.toFixed(1)} ms`,
      reached: p50.value < QUERY_TARGET_MS,
    },
  ];
};
