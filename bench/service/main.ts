import { runProgram, say } from '#platform/start/run.js';
import { openServers } from '#apps/api/platform/start/servers.js';
import { startService } from '#apps/api/service.js';
import { CeilingCapability } from './ceiling.js';
import { PassThroughGateModule } from './pass-through-gate.js';

// The service with an additional route that stores nothing, and without the work of the privacy gate if asked.
const more =
  process.env['BENCH_GATE'] === 'pass-through'
    ? [CeilingCapability, PassThroughGateModule]
    : [CeilingCapability];
await runProgram(async (config, logger) => {
  const servers = await openServers(config, logger);
  const service = await startService(config, servers, logger, more);
  say(`listening on ${service.url}`);
  return service;
});
