import { once } from 'node:events';
import { createServer } from 'node:net';
import { runProgram, say } from '#platform/start/run.js';
import { signInLinkFor } from './sign-in-link-for.js';
import { openServers, type OpenedServers } from './platform/start/servers.js';
import type { Service } from './service.js';
import { VERSION } from './platform/version.js';
import type { ServiceConfig } from '#platform/config/service-config.js';

function tellWhatStarts({ eventStoreUrl, postgresUrl, dataDir }: ServiceConfig): void {
  const embedded = [
    ...(eventStoreUrl === undefined ? ['event store'] : []),
    ...(postgresUrl === undefined ? ['Postgres'] : []),
  ];
  say(`MACE Memory ${VERSION}`);
  if (embedded.length > 0) say(`Starting the embedded ${embedded.join(' and ')} in ${dataDir} …`);
}

const isDefaultDir = (dataDir: string): boolean => dataDir === `${process.cwd()}/.mace`;

function stateOf({ url, eventStoreFaults, isFilling }: Service): string {
  const readiness = `\n  Readiness     ${url}/health/ready`;
  if (eventStoreFaults.length > 0)
    return `Started, with a faulty event store: ${eventStoreFaults.join(' ')}${readiness}`;
  return isFilling
    ? `Started. The read models are being filled from the log.${readiness}`
    : 'Ready.';
}

/** Returns the lines about the console. A sign-in link is shown on a terminal, where nobody else reads it. */
async function consoleLines(config: ServiceConfig, service: Service): Promise<string> {
  const page = `Console       ${service.url}/console/`;
  const link = process.stdout.isTTY ? await signInLinkFor(config, service) : undefined;
  if (link === undefined) return page;
  return `Console       ${link}
                signs in once, within 5 minutes, as reviewer with the role council;
                for a new link or another role: npx mace console --role auditor --sub me`;
}

async function tellWhatRuns(config: ServiceConfig, service: Service): Promise<void> {
  const { url } = service;
  const dir = isDefaultDir(config.dataDir) ? '' : ` MACE_DATA_DIR=${config.dataDir}`;
  say(`
${stateOf(service)}
  Listening on  ${url}
  Data in       ${config.dataDir}
  At rest       personal data is encrypted; all else needs an encrypted disk (docs/privacy-review.md, "At rest")
  API           ${url}/docs
  ${await consoleLines(config, service)}

Next, in another terminal:
  export MACE_URL=${url}${dir}
  npx mace remember --user ada --said "I am allergic to peanuts. What can I cook?"
  npx mace recall --user ada which nuts
  The README's tour and docs/give-your-agent-memory.md go on from here.

Ctrl-C stops it.`);
}

/** Fails as `listen` does if another program has the port, before anything is started for nothing. */
async function requireFreePort({ host, port }: ServiceConfig): Promise<void> {
  const server = createServer().listen({ host, port });
  await once(server, 'listening');
  server.close();
  await once(server, 'close');
}

await runProgram(async (config, logger) => {
  await requireFreePort(config);
  tellWhatStarts(config);
  // The service's modules are loaded while the servers start.
  const loading = import('./service.js');
  const servers: OpenedServers = await openServers(config, logger);
  let service: Service;
  try {
    say('Starting projections and HTTP …');
    const { startService } = await loading;
    service = await startService(config, servers, logger);
  } catch (error) {
    await servers.stop();
    throw error;
  }
  await tellWhatRuns(config, service);
  return {
    failed: Promise.race([service.failed, servers.failed]),
    stop: async () => {
      await service.stop();
      await servers.stop();
    },
  };
});
