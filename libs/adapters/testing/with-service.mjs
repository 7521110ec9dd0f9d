// Runs a command with MACE_URL and MACE_JWT_SECRET in its environment, and exits as the command does:
//   node ../testing/with-service.mjs vitest run
// If both variables are set, it uses that service. Otherwise it starts one with temporary data.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { startService } from './service.mjs';

const [command, ...parameters] = process.argv.slice(2);
const { MACE_URL, MACE_JWT_SECRET } = process.env;
const { environment, stop } =
  MACE_URL && MACE_JWT_SECRET ? { environment: {}, stop: () => {} } : await startService();
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => {});
const child = spawn(command, parameters, {
  env: { ...process.env, ...environment },
  stdio: 'inherit',
});
const [code] = await once(child, 'close').catch((error) => {
  console.error(`${command} could not be started: ${error.message}`);
  return [1];
});
await stop();
process.exit(code ?? 1);
