import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openServers } from '#apps/api/platform/start/servers.js';
import { startService } from '#apps/api/service.js';
import { mintToken } from '#platform/auth/mint-token.js';
import { ROLES } from '#platform/auth/roles.js';
import { readConfig } from '#platform/config/service-config.js';
import { openLogger } from '#platform/start/logger.js';
import { FIXTURES_PATH, FixturesCapability } from './fixtures-capability.js';
import { expectFailures, installSuites, type Run, runSuite } from './suites.js';
import { startTokenProxy } from './token-proxy.js';

/** Every server scenario, against the fixtures. Those of an extension, such as tasks, are run and not counted. */
const WITH_FIXTURES: readonly Run[] = [
  { suite: 'conformance-2025', name: 'all scenarios', options: ['--suite', 'all'] },
  {
    suite: 'conformance-2026',
    name: 'what revision 2025-11-25 requires',
    options: ['--requirements', '2025-11-25'],
  },
  {
    suite: 'conformance-2026',
    name: 'what revision 2026-07-28 requires',
    options: ['--requirements', '2026-07-28'],
  },
];

/** The scenarios that need neither fixtures nor a capability that the product does not have. */
const WITHOUT_FIXTURES: Readonly<Record<string, readonly string[]>> = {
  '2025-11-25': [
    ...['server-initialize', 'ping', 'tools-list', 'resources-list', 'prompts-list'],
    'dns-rebinding-protection',
  ],
  '2026-07-28': [
    ...['server-stateless', 'tools-list', 'resources-list', 'prompts-list', 'caching'],
    ...['sep-2164-resource-not-found', 'dns-rebinding-protection', 'http-header-validation'],
    ...['server-sse-multiple-streams', 'input-required-result-unsupported-methods'],
  ],
};

/** The checks of those scenarios that call a diagnostic tool, which only the fixtures have. */
const NEEDS_A_TOOL = [
  'server-stateless:sep-2575-server-rejects-undeclared-capability',
  'server-stateless:sep-2575-missing-capability-http-400',
  'server-stateless:sep-2575-http-server-no-independent-requests-on-stream',
  'server-stateless:sep-2575-server-no-log-without-loglevel',
];

if (Number(process.versions.node.split('.')[0]) < 22) {
  console.error(`The suites need Node 22; this is Node ${process.versions.node}.`);
  process.exit(4);
}

installSuites();
const folder = mkdtempSync(join(tmpdir(), 'mace-mcp-conformance-'));
const config = await readConfig({
  PORT: '0',
  MACE_DATA_DIR: join(folder, 'data'),
  MACE_LOG_LEVEL: 'fatal',
});
const logger = openLogger(config.logLevel, process.stderr);
const servers = await openServers(config, logger);
const service = await startService(config, servers, logger, [FixturesCapability]);
const { jwtSecret } = config.tokenKeys as { readonly jwtSecret: string };
const token = await mintToken({ jwtSecret }, { sub: 'conformance', roles: ROLES, ttl: 3600 });
const proxy = await startTokenProxy(service.url, token);

const total = { passed: 0, failed: 0 };
async function report(run: Run, path: string): Promise<void> {
  const { isPassed, passed, output } = await runSuite(run, proxy.url + path);
  if (!isPassed) console.log(output);
  console.log(`${isPassed ? 'passed' : 'FAILED'}  ${path}  ${run.suite}: ${run.name}`);
  total.passed += passed;
  if (!isPassed) total.failed += 1;
}

try {
  for (const run of WITH_FIXTURES) await report(run, FIXTURES_PATH);
  const expected = expectFailures(folder, NEEDS_A_TOOL);
  for (const [revision, scenarios] of Object.entries(WITHOUT_FIXTURES))
    for (const scenario of scenarios)
      await report(
        {
          suite: 'conformance-2026',
          name: `${scenario}, revision ${revision}`,
          options: ['--spec-version', revision, '--scenario', scenario, ...expected],
        },
        '/mcp',
      );
} finally {
  proxy.stop();
  await service.stop();
  await servers.stop();
  rmSync(folder, { recursive: true, force: true });
}
console.log(`${total.passed} passed, ${total.failed} failed`);
process.exitCode = total.failed === 0 ? 0 : 1;
