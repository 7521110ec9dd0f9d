import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { damageFiles, damagesIn } from './damaged-files.js';
import { Random } from './random.js';
import { Report } from './report.js';
import { runRound } from './round.js';

// Tortures the product: npm run torture -- --minutes 30 [--seed N]
const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '30' }, seed: { type: 'string' } },
});
const MAX_SEED = 2 ** 31;
const minutes = Number(values.minutes);
const seed = values.seed === undefined ? randomInt(MAX_SEED) : Number(values.seed);
if (!(minutes > 0) || !Number.isInteger(seed))
  throw new Error('--minutes must be a positive number, and --seed a whole number');

/** The longest time under faults before everything is checked. */
const ROUND_MINUTES = 4;
/** The part of a round that its start and its checks may take. */
const CHECKS = 0.35;

// Each server and each folder has a listener that cleans up.
process.setMaxListeners(100);

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const began = Date.now();
const show = (line: string): void => {
  const time = `${Math.floor((Date.now() - began) / 1000)} s`;
  if (process.stdout.isTTY) process.stdout.write(`\r\x1b[K${time}: ${line}`);
  else say(`${time}: ${line}`);
};

say(`Torture of ${minutes} minutes with the seed ${seed}`);
const report = new Report(seed, minutes);
const repeat = (roundSeed: number, length: number): string =>
  `npm run torture -- --minutes ${length} --seed ${roundSeed}`;

const damages = damagesIn(minutes);
for (const text of await damageFiles(seed, damages))
  report.found.push({ repeat: repeat(seed, minutes), text });

const seeds = new Random(seed, 'rounds');
for (let round = 0; ; round += 1) {
  const left = minutes - (Date.now() - began) / 60_000;
  const length = Math.min(left, ROUND_MINUTES);
  if (round > 0 && length < 1) break;
  // The first round has the seed of the run, so that each round can be repeated alone.
  const roundSeed = round === 0 ? seed : seeds.between(0, MAX_SEED);
  show(`Round ${round + 1} with the seed ${roundSeed}`);
  const result = await runRound(roundSeed, Math.max(length * (1 - CHECKS), 0.5) * 60_000, show);
  report.addRound(result);
  for (const text of result.faults)
    report.found.push({ repeat: repeat(roundSeed, Math.ceil(length)), text });
}
say(`\n${report.text()}`);
process.exitCode = report.found.length === 0 ? 0 : 1;
