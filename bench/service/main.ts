import { runProgram, say } from '#platform/start/run.js';
import { openServers } from '#apps/api/platform/start/servers.js';
import { startService } from '#apps/api/platform/start/service.js';
import { CeilingCapability } from './ceiling.js';

// The service with an additional route that stores nothing.
await runProgram(async (config, logger) => {
  const servers = await openServers(config, logger);
  const service = await startService(config, servers, logger, [CeilingCapability]);
  say(`listening on ${service.url}`);
  return service;
});
