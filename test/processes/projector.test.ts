import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Caller, positionOf } from '#test/support/caller.js';
import { ProjectorProcess } from '#test/support/projector-process.js';
import { startTestEventStore, startTestPostgres, type TestServer } from '#test/support/servers.js';
import { TestService } from '#test/support/service.js';
import { TEST_KEYS } from '#test/support/test-keys.js';
import { temporaryFolder } from '#test/support/temporary-folder.js';
import { ensure } from '#test/support/ensure.js';
import { named } from '#test/support/named.js';

describe('The projector as a separate process', () => {
  let servers: { eventStore: TestServer; postgres: TestServer };
  let service: TestService;
  let agent: Caller;
  const projectors: ProjectorProcess[] = [];

  beforeAll(async () => {
    servers = { eventStore: await startTestEventStore(), postgres: await startTestPostgres() };
    startProjector();
    service = await TestService.start({ servers, environment: { MACE_PROJECTIONS: 'external' } });
    await service.caughtUp();
    agent = await Caller.of(service, 'agent');
  });
  afterAll(async () => {
    await Promise.all(projectors.map((projector) => projector.end('SIGKILL')));
    await service?.stop();
    await servers.eventStore.stop();
    await servers.postgres.stop();
  });

  function startProjector(
    environment: Readonly<Record<string, string>> = {},
    ...args: readonly string[]
  ): ProjectorProcess {
    const urls = {
      MACE_EVENTSTORE_URL: servers.eventStore.url,
      MACE_POSTGRES_URL: servers.postgres.url,
    };
    const projector = ProjectorProcess.spawn({ ...urls, ...environment }, ...args);
    projectors.push(projector);
    return projector;
  }

  it('§13 a service without its own projector reads its writes through a separate projector', async () => {
    const started = await agent.did('POST', 'jobs', { body: { job_seed: named('first') } });
    const { jobs } = await agent.get<{ jobs: { job_seed: string }[] }>('jobs', {
      after: positionOf(started),
    });
    expect(jobs[0]?.job_seed).toBe(named('first'));
    expect((await service.call('GET', '/health/ready')).status).toBe(200);
  });

  it('§13 without a projector, commands on running jobs still work, and reads report the lag', async () => {
    const [projector] = projectors;
    ensure(projector);
    expect(await projector.end()).toBe(0);
    const ticked = await agent.did('POST', `jobs/${named('first')}/ticks`, { body: {} });
    expect((await agent.get(`jobs/${named('first')}`))['tick']).toBe(1);
    await agent.refused('PROJECTION_LAG', 'GET', 'jobs', { after: positionOf(ticked) });
    await agent.refused('PROJECTION_LAG', 'POST', 'jobs', { body: { job_seed: named('second') } });
  });

  it('the metrics tell the age of the oldest event that a read model does not show', async () => {
    while ((await lagOf('jobs')) < 1);
    const projector = startProjector();
    while ((await lagOf('jobs')) > 0);
    expect(await projector.end()).toBe(0);
  });

  it('X5 a projector continues where the last one stopped, and takes over from one that was killed', async () => {
    const one = startProjector();
    const ticked = await agent.did('POST', `jobs/${named('first')}/ticks`, { body: {} });
    await seen(positionOf(ticked));
    startProjector();
    await one.end('SIGKILL');
    const again = await agent.did('POST', `jobs/${named('first')}/ticks`, { body: {} });
    await seen(positionOf(again));
    const { jobs } = await agent.get<{ jobs: { tick: number }[] }>('jobs');
    expect(jobs[0]?.tick).toBe(3);
  });

  it('§13 the projector starts no embedded servers, and names the addresses that it needs', async () => {
    const dataDir = join(temporaryFolder('projector').path, 'data');
    const keyless = Object.fromEntries(Object.keys(TEST_KEYS).map((name) => [name, '']));
    const environment = { ...keyless, MACE_EVENTSTORE_URL: '', MACE_DATA_DIR: dataDir };
    const lost = startProjector(environment);
    expect(await lost.exited).toBe(4);
    expect(lost.stderr).toMatch(/MACE_EVENTSTORE_URL and MACE_POSTGRES_URL/);
    expect(existsSync(dataDir)).toBe(false);
  });

  it.each([
    [
      'sem,facts',
      /"facts" is not the name of a read model\. The read models are action_requests, checkpoints, collisions, /,
    ],
    ['sem,,jobs', /--only must list names of read models/],
    ['', /--only must list names of read models/],
  ])('§13 the projector refuses --only "%s", and says what is wrong', async (only, reason) => {
    const refused = startProjector({}, `--only=${only}`);
    expect([await refused.exited, refused.stderr]).toStrictEqual([
      4,
      expect.stringMatching(reason),
    ]);
  });

  /** Returns the age in seconds of the oldest event that a read model does not show. */
  async function lagOf(name: string): Promise<number> {
    const { body } = await service.call<string>('GET', '/metrics');
    const [, age] =
      new RegExp(`^mace_projection_lag_seconds\\{projection="${name}"\\} (.+)$`, 'm').exec(body) ??
      [];
    ensure(age);
    return Number(age);
  }

  /** Waits for the read models to reach the position; the test's own timeout ends this loop. */
  async function seen(position: string): Promise<void> {
    for (;;) if ((await agent.ask('GET', 'jobs', { after: position })).status === 200) return;
  }
});
