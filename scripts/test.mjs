// Runs the tests:
//   node scripts/test.mjs [pattern or option of Jest …]   the quick suites, or what the patterns name
//   node scripts/test.mjs --all                           every suite, each property as often as it says, and the adapters
import { spawnSync } from 'node:child_process';

/** Suites that only `--all` runs: they take long, and what they test seldom breaks alone. */
const ONLY_ALL = [
  'test/faults/',
  'test/attacks/(?!authorisation)',
  'test/processes/',
  'test/torture/',
  'test/console/(?!start)',
  'test/architecture/',
];
/** The tests in Docker have a command of their own. */
const NEVER = ['/node_modules/', '<rootDir>/test/containers/'];

const given = process.argv.slice(2);
const isAll = given.includes('--all');
const parameters = given.filter((parameter) => parameter !== '--all');
const ignored = isAll || parameters.length > 0 ? NEVER : [...NEVER, ...ONLY_ALL];
const env = { ...process.env, ...(isAll && { MACE_TEST_ALL: '1' }) };

const run = (...words) => spawnSync(process.execPath, words, { stdio: 'inherit', env }).status ?? 1;

const jest = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'];
const patterns = ignored.map((pattern) => `--testPathIgnorePatterns=${pattern}`);
// The patterns come last: Jest takes each word after them for a pattern as well.
let status = run(...jest, 'node_modules/jest/bin/jest.js', ...parameters, ...patterns);
if (isAll && parameters.length === 0) {
  if (Number(process.versions.node.split('.')[0]) >= 24)
    status = run('scripts/test-adapters.mjs') || status;
  else process.stdout.write('The adapters were not tested, because they need Node 24.\n');
}
process.exit(status);
