import { spawnSync } from 'node:child_process';

// Runs the suites that share servers on a given event store and Postgres, one file after the other.
const SUITES = ['test/end-to-end/', 'test/processes/', 'test/contract/', 'test/properties/'];

for (const name of ['MACE_EVENTSTORE_URL', 'MACE_POSTGRES_URL'])
  if (!process.env[name]) {
    process.stderr.write(`${name} must name the server on which the suites run.\n`);
    process.exit(4);
  }
const chosen = process.argv.slice(2);
const jest = ['--experimental-vm-modules', 'node_modules/jest/bin/jest.js'];
const { status } = spawnSync(process.execPath, [...jest, ...(chosen[0] ? chosen : SUITES)], {
  stdio: 'inherit',
});
process.exit(status ?? 1);
