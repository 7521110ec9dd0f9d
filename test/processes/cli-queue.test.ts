import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import messages from '#domain/errors/golden_messages.json' with { type: 'json' };
import type { WaitingWrite } from '#client/admin.js';
import { Caller } from '#test/support/caller.js';
import {
  type OwnEventStore,
  startOwnEventStore,
  startTestPostgres,
} from '#test/support/servers.js';
import { TestService } from '#test/support/service.js';
import { until } from '../faults/support/until.js';
import { mace } from '#test/support/cli-run.js';

/** What a command says on standard error if nothing is wrong. */
const USING = /^Using \S+ as \S+ \(roles: \w+\) from --token\n$/;

describe('mace queue (SPEC F2)', () => {
  let eventStore: OwnEventStore;
  let service: TestService;
  let admin: Caller;
  let token: string;

  beforeAll(async () => {
    eventStore = await startOwnEventStore();
    service = await TestService.start({
      servers: { eventStore, postgres: await startTestPostgres() },
    });
    admin = await Caller.of(service, 'admin');
    token = admin.token;
    await admin.post('jobs', { job_seed: 'moving-on' });
    await setQuota(0);
    await admin.refused('STORAGE_FULL', 'PUT', 'sem/world/fact/wanted/value', {
      body: { value: 'vermilion' },
    });
    const body = { commands: [{ op: 'tick' }], expected_version: 0 };
    await admin.refused('STORAGE_FULL', 'POST', 'jobs/moving-on/commands', { body });
  });
  afterAll(async () => {
    await service?.stop();
    await Promise.all([eventStore?.stop(), service?.postgres.stop()]);
  });

  async function setQuota(quotaBytes: number | undefined): Promise<void> {
    await eventStore.kill();
    eventStore.limit(quotaBytes);
    await eventStore.restart();
    await until('the service answers', async () => (await admin.ask('GET', 'jobs')).status === 200);
  }

  const queue = (args: readonly string[], as = token) =>
    mace(['queue', ...args, '--url', service.url, '--token', as]);
  const entries = async (): Promise<readonly WaitingWrite[]> =>
    (JSON.parse((await queue(['list', '--json'])).stdout) as { entries: WaitingWrite[] }).entries;

  it('list shows each waiting write, what it waits for and why, and never its content', async () => {
    const { stdout, stderr, code } = await queue(['list']);
    expect([stderr, code]).toStrictEqual([expect.stringMatching(USING), 0]);
    const [put, tick] = await entries();
    const lines = stdout.trimEnd().split('\n');
    expect(lines).toHaveLength(3);
    expect(lines[0]).toMatch(
      new RegExp(
        `^${put?.id}  waits for person  ${put?.refused_at}  STORAGE_FULL  PutFact sem-world/fact/wanted/value$`,
      ),
    );
    expect(lines[1]).toMatch(new RegExp(`^${tick?.id} .+ job-moving-on$`));
    expect(lines[2]).toBe('2 writes: 2 for a person, 0 for room.');
    expect(stdout).not.toContain('vermilion');
  });

  it('retry exits with code 2 while the event store is full, and the write stays', async () => {
    const [put] = await entries();
    const { stderr, stdout, code } = await queue(['retry', String(put?.id)]);
    expect([stdout, code]).toStrictEqual(['', 2]);
    expect(stderr.split('\n')[1]).toBe(messages.STORAGE_FULL.user_message);
    expect(stderr).toMatch(/^STORAGE_FULL: /m);
    expect(await entries()).toHaveLength(2);
  });

  it('a token without the role admin may neither list nor retry', async () => {
    const agent = await service.token('agent');
    for (const args of [['list'], ['retry', '00000000-0000-4000-8000-000000000000']]) {
      const { stderr, code } = await queue(args, agent);
      expect([stderr.split('\n')[1], code]).toStrictEqual([
        messages.PERMISSION_DENIED.user_message,
        2,
      ]);
    }
  });

  it('a waiting write that an admin removes is never written (DELETE admin/queue/{id})', async () => {
    await admin.refused('STORAGE_FULL', 'PUT', 'sem/world/fact/unwanted/value', {
      body: { value: 'vermilion' },
    });
    const removed = (await entries()).at(-1)?.id ?? '';
    const { body } = await admin.did('DELETE', `admin/queue/${removed}`);
    expect(body).toStrictEqual({ id: removed, status: 'removed' });
    expect((await entries()).map(({ id }) => id)).not.toContain(removed);
    await admin.refused('NOT_FOUND', 'DELETE', `admin/queue/${removed}`);
  });

  it('retry writes a write once there is room, and says that a write which a rule now refuses has left the queue', async () => {
    await setQuota(undefined);
    await admin.post('jobs/moving-on/ticks');
    const [put, tick] = await entries();
    const written = await queue(['retry', String(put?.id)]);
    expect([written.stderr, written.stdout, written.code]).toStrictEqual([
      expect.stringMatching(USING),
      `Written  ${put?.id}\n`,
      0,
    ]);
    expect((await admin.get('sem/world/fact/wanted/value'))['value']).toBe('vermilion');
    const refused = await queue(['retry', String(tick?.id), '--json']);
    expect([refused.stdout, refused.code]).toStrictEqual(['', 1]);
    expect(refused.stderr).toMatch(/^VERSION_CONFLICT: /m);
    expect(refused.stderr).toMatch(/has left the queue\.$/m);
    const { stdout } = await queue(['list']);
    expect(stdout).toBe('No write waits.\n');
  });

  it('retry of an unknown id exits with code 2', async () => {
    const { stderr, code } = await queue(['retry', '00000000-0000-4000-8000-000000000000']);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^NOT_FOUND: There is no waiting write /m);
  });
});
