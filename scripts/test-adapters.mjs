// Tests the adapters in libs/adapters, each with the packages of its own lock file, against one service that
// has temporary data:
//   node scripts/test-adapters.mjs [name…]
// Prints the number of tests in one line, which CI reads, and exits with 1 if a test failed.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { startService } from '../libs/adapters/testing/service.mjs';

const ROOT = join(import.meta.dirname, '..');
const ADAPTERS = join(ROOT, 'libs/adapters');
const isAdapter = (name) => existsSync(join(ADAPTERS, name, 'package.json'));

const names = process.argv.slice(2);
const unknown = names.filter((name) => !isAdapter(name));
if (unknown.length > 0) {
  console.error(`libs/adapters has no adapter ${unknown.join(', ')}.`);
  process.exit(4);
}
const chosen = names.length > 0 ? names : readdirSync(ADAPTERS).filter(isAdapter).sort();

/** The environment of the tests. The options for Node that the root's .npmrc sets are for Jest. */
const inherited = Object.entries(process.env).filter(
  ([name]) => !/^(NODE_OPTIONS|npm_config_node_options)$/.test(name),
);
const environment = {
  ...Object.fromEntries(inherited),
  CI: process.env.CI ?? 'true',
  NO_COLOR: '1',
};

/** Runs npm in an adapter's folder. Shows what it prints, and returns that with the exit code. */
const npm = (name, parameters, variables = {}) =>
  new Promise((resolve, reject) => {
    let output = '';
    const child = spawn('npm', parameters, {
      cwd: join(ADAPTERS, name),
      env: { ...environment, ...variables },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    child.stdout.setEncoding('utf8').on('data', (text) => {
      output += text;
      process.stdout.write(text);
    });
    child.once('error', reject);
    child.once('close', (code) => resolve({ code: code ?? 1, output }));
  });

/** Adds up the summaries that Vitest and Node's test runner print. */
function countsOf(output) {
  const sum = (pattern) =>
    [...output.matchAll(pattern)].reduce((total, [, count]) => total + Number(count), 0);
  return {
    passed: sum(/^ +Tests .*?(\d+) passed/gm) + sum(/^(?:ℹ|#) pass (\d+)$/gm),
    failed: sum(/^ +Tests .*?(\d+) failed/gm) + sum(/^(?:ℹ|#) fail (\d+)$/gm),
  };
}

/** Installs an adapter's packages and runs its tests. A run that fails without a failed test counts as one. */
async function test(name, variables) {
  console.log(`\n== ${name}`);
  const installed = await npm(name, ['ci', '--no-audit', '--no-fund']);
  if (installed.code !== 0) return { passed: 0, failed: 1 };
  const { code, output } = await npm(name, ['test'], variables);
  const { passed, failed } = countsOf(output);
  const isWhole = code === 0 && passed > 0;
  return { passed, failed: failed === 0 && !isWhole ? 1 : failed };
}

const total = { passed: 0, failed: 0 };
if (chosen.length > 0) {
  const client = spawnSync(process.execPath, [join(ROOT, 'scripts/build-client.mjs')], {
    stdio: 'inherit',
  });
  if (client.status !== 0) process.exit(1);
  const service = await startService();
  try {
    for (const name of chosen) {
      const { passed, failed } = await test(name, service.environment);
      total.passed += passed;
      total.failed += failed;
    }
  } finally {
    await service.stop();
  }
}
console.log(`\n${total.passed} passed, ${total.failed} failed`);
process.exit(total.failed === 0 ? 0 : 1);
