import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Caller, positionOf } from '#test/support/caller.js';
import { startTestEventStore, startTestPostgres, type TestServer } from '#test/support/servers.js';
import { TEST_KEYS, TestService } from '#test/support/service.js';
import { ensure } from '#test/support/ensure.js';
import { named } from '#test/support/named.js';

const MAIN = fileURLToPath(import.meta.resolve('#apps/projector/main.js'));

describe('The projector as a separate process', () => {
  let servers: { eventStore: TestServer; postgres: TestServer };
  let service: TestService;
  let agent: Caller;
  const projectors: ChildProcess[] = [];

  beforeAll(async () => {
    servers = { eventStore: await startTestEventStore(), postgres: await startTestPostgres() };
    startProjector();
    service = await TestService.start({ servers, environment: { MACE_PROJECTIONS: 'external' } });
    await service.caughtUp();
    agent = await Caller.of(service, 'agent');
  });
  afterAll(async () => {
    for (const projector of projectors) projector.kill('SIGKILL');
    await service?.stop();
    await servers.eventStore.stop();
    await servers.postgres.stop();
  });

  function startProjector(environment: Readonly<Record<string, string>> = {}): ChildProcess {
    const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('MACE_'));
    const projector = spawn(process.execPath, [MAIN], {
      env: {
        ...Object.fromEntries(inherited),
        ...TEST_KEYS,
        MACE_EVENTSTORE_URL: servers.eventStore.url,
        MACE_POSTGRES_URL: servers.postgres.url,
        MACE_LOG_LEVEL: 'warn',
        ...environment,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    projectors.push(projector);
    return projector;
  }
  async function ended(projector: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
    const closed = once(projector, 'close') as Promise<[number | null]>;
    projector.kill(signal);
    return (await closed)[0];
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
    expect(await ended(projector, 'SIGTERM')).toBe(0);
    const ticked = await agent.did('POST', `jobs/${named('first')}/ticks`, { body: {} });
    expect((await agent.get(`jobs/${named('first')}`))['tick']).toBe(1);
    await agent.refused('PROJECTION_LAG', 'GET', 'jobs', { after: positionOf(ticked) });
    await agent.refused('PROJECTION_LAG', 'POST', 'jobs', { body: { job_seed: named('second') } });
  });

  it('X5 a projector continues where the last one stopped, and takes over from one that was killed', async () => {
    const one = startProjector();
    const ticked = await agent.did('POST', `jobs/${named('first')}/ticks`, { body: {} });
    await seen(positionOf(ticked));
    startProjector();
    await ended(one, 'SIGKILL');
    const again = await agent.did('POST', `jobs/${named('first')}/ticks`, { body: {} });
    await seen(positionOf(again));
    const { jobs } = await agent.get<{ jobs: { tick: number }[] }>('jobs');
    expect(jobs[0]?.tick).toBe(3);
  });

  it('§13 the projector starts no embedded servers, and names the addresses that it needs', async () => {
    const lost = startProjector({ MACE_EVENTSTORE_URL: '', MACE_DATA_DIR: '/nonexistent/mace' });
    let said = '';
    lost.stderr?.setEncoding('utf8').on('data', (text: string) => (said += text));
    const [code] = (await once(lost, 'close')) as [number | null];
    expect(code).toBe(4);
    expect(said).toMatch(/MACE_EVENTSTORE_URL and MACE_POSTGRES_URL/);
  });

  /** Waits for the read models to reach the position; the test's own timeout ends this loop. */
  async function seen(position: string): Promise<void> {
    for (;;) if ((await agent.ask('GET', 'jobs', { after: position })).status === 200) return;
  }
});
