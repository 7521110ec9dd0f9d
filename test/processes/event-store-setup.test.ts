import { afterAll, beforeAll, beforeEach, afterEach, describe, expect, it } from '@jest/globals';
import { EventStoreDBClient, jsonEvent } from '@eventstore/db-client';
import { randomUUID } from 'node:crypto';
import type { EventToAppend } from '#event-store/event-store.js';
import { connectEventStore } from '#event-store/event-store-db.js';
import { survey } from '#event-store/survey.js';
import { ADMIN_PASSWORD } from '#test/support/secured-event-store-accounts.js';
import {
  type SecuredEventStore,
  startSecuredEventStore,
} from '#test/support/secured-event-store.js';
import {
  startOwnEventStore,
  startTestPostgres,
  type OwnEventStore,
  type TestServer,
} from '#test/support/servers.js';
import { TestService } from '#test/support/service.js';
import { AggregateStore } from '#event-store/aggregate-store.js';
import { add, counter, identity } from '../contract/aggregate-store-counter.js';
import { ELECTION, startScriptedServer } from '../contract/event-store-scripted-server.js';
import { mace } from '#test/support/cli-run.js';

const PASSWORD = 'Uf5-kY2w:Nd8@Lq3z';
const RIGHTS = {
  $userStreamAcl: {
    $r: ['$admins', 'mace'],
    $w: ['$admins', 'mace'],
    $d: ['$admins'],
    $mr: ['$admins'],
    $mw: ['$admins'],
  },
};

describe('mace event-store setup, against a scripted EventStoreDB with TLS, users and rights', () => {
  let node: OwnEventStore;
  let server: SecuredEventStore;
  let admin: string;
  beforeEach(async () => {
    node = await startOwnEventStore();
    server = await startSecuredEventStore(node.url);
    admin = server.urlFor('admin', ADMIN_PASSWORD);
  });
  afterEach(async () => {
    server.stop();
    await node.stop();
  });

  const setUp = (args: readonly string[] = [], password = '') =>
    mace(['event-store', 'setup', '--user', 'mace', ...args], {
      MACE_EVENTSTORE_ADMIN_URL: admin,
      MACE_EVENTSTORE_USER_PASSWORD: password,
    });

  /** Returns the content and the number of the last event of a stream. */
  async function lastOf(stream: string) {
    const client = EventStoreDBClient.connectionString(node.url);
    const options = { direction: 'backwards', fromRevision: 'end', maxCount: 1 } as const;
    let last: { data: unknown; number: number } | undefined;
    for await (const { event } of client.readStream(stream, options))
      last = { data: event?.data, number: Number(event?.revision) };
    await client.dispose();
    return last;
  }

  async function write(stream: string, type: string, data: Record<string, unknown>) {
    const client = EventStoreDBClient.connectionString(node.url);
    await client.appendToStream(stream, jsonEvent({ type, data }));
    await client.dispose();
  }

  it('makes a user, its group and the rights, and prints a password once and the connection string without it', async () => {
    const { code, stdout, stderr } = await setUp(['--json']);
    expect({ code, stderr }).toStrictEqual({ code: 0, stderr: '' });
    const report = JSON.parse(stdout) as Record<string, string>;
    expect(report).toMatchObject({
      user: 'mace',
      group: 'mace',
      changes: [expect.any(String), expect.any(String), expect.any(String)],
      password: expect.stringMatching(/^[\w-]{32}$/),
      connection_string: expect.stringMatching(/^esdb:\/\/mace:PASSWORD@localhost:\d+\?tlsCAFile=/),
    });
    expect(server.accounts.all.get('mace')).toMatchObject({
      groups: ['mace'],
      password: report['password'],
    });
    expect(await lastOf('$settings')).toStrictEqual({ data: RIGHTS, number: 0 });
    expect(await lastOf('$$$all')).toStrictEqual({
      data: { $acl: { $r: ['$admins', 'mace'] } },
      number: 0,
    });
  });

  it('changes nothing in a second run, and says so', async () => {
    await setUp();
    const { password } = server.accounts.all.get('mace')!;
    const { code, stdout } = await setUp();
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Nothing was changed/);
    expect(stdout).not.toMatch(/The password, which/);
    expect(server.accounts.all.get('mace')?.password).toBe(password);
    expect((await lastOf('$settings'))?.number).toBe(0);
    expect((await lastOf('$$$all'))?.number).toBe(0);
  });

  it('names the option for a new password if it made the user and then failed', async () => {
    await node.kill();
    const { code, stdout, stderr } = await setUp();
    expect({ code, stdout }).toStrictEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/password was not shown.* --new-password/);
    await node.restart();
    // The server that passes calls on to the node connects again after a pause.
    let again = await setUp(['--new-password', '--json']);
    while (again.code === 2) again = await setUp(['--new-password', '--json']);
    expect([again.stderr, again.code]).toStrictEqual(['', 0]);
    expect(JSON.parse(again.stdout)).toMatchObject({
      password: server.accounts.all.get('mace')?.password,
    });
  });

  it('takes the password from the environment, and never prints it', async () => {
    const first = await setUp([], PASSWORD);
    const second = await setUp(['--new-password'], `${PASSWORD}2`);
    const wrong = await setUp([], PASSWORD);
    const short = await setUp([], 'short');
    expect([first.code, second.code, wrong.code, short.code]).toStrictEqual([0, 0, 4, 4]);
    expect(server.accounts.all.get('mace')?.password).toBe(`${PASSWORD}2`);
    expect(second.stdout).toMatch(/The user mace has a new password/);
    expect(wrong.stderr).toMatch(/a read of \$all with its password failed: .* refuses the user/);
    expect(short.stderr).toMatch(/USER_PASSWORD must have at least 12 characters/);
    const all = [first, second, wrong, short].map(({ stdout, stderr }) => stdout + stderr).join();
    expect(all).not.toContain(PASSWORD);
    expect(all).not.toContain(encodeURIComponent(PASSWORD));
    expect(all).not.toContain(ADMIN_PASSWORD);
  });

  it('keeps the rights that others have by name, and takes from everybody only what deletes and changes metadata', async () => {
    await write('$settings', '$settings', {
      $userStreamAcl: { $r: ['audit'], $w: '$admins', $d: ['$all'], $mw: ['mace', 'audit'] },
      $systemStreamAcl: { $r: ['audit'] },
    });
    await write('$$$all', '$metadata', { note: 1, $acl: { $r: '$ops', $mr: ['audit'] } });
    expect((await setUp()).code).toBe(0);
    expect((await lastOf('$settings'))?.data).toStrictEqual({
      $userStreamAcl: {
        $r: ['audit', 'mace'],
        $w: ['$admins', 'mace'],
        $d: ['$admins'],
        $mr: ['$admins'],
        $mw: ['audit'],
      },
      $systemStreamAcl: { $r: ['audit'] },
    });
    expect((await lastOf('$$$all'))?.data).toStrictEqual({
      note: 1,
      $acl: { $r: ['$ops', 'mace'], $mr: ['audit'] },
    });
  });

  it('gives the group to a user that has none, and refuses one of another group and one that is disabled', async () => {
    server.accounts.add('plain', PASSWORD);
    server.accounts.add('chief', PASSWORD, ['$admins']);
    server.accounts.add('off', PASSWORD, ['mace']).isDisabled = true;
    const [plain, chief, off] = await Promise.all(
      ['plain', 'chief', 'off'].map((user) => setUp(['--user', user])),
    );
    expect(plain).toMatchObject({ code: 0, stdout: expect.stringMatching(/plain is now in the/) });
    expect(server.accounts.all.get('plain')?.groups).toStrictEqual(['mace']);
    expect(chief).toMatchObject({ code: 1, stderr: expect.stringMatching(/is in \$admins, so/) });
    expect(off).toMatchObject({ code: 1, stderr: expect.stringMatching(/is disabled. Enable it/) });
  });

  it('repeats each step at the leader if the connection string names only a follower', async () => {
    const follower = await server.follower();
    const url = follower.urlFor('admin', ADMIN_PASSWORD);
    server.accounts.add('plain', PASSWORD);
    expect(await setUp(['--url', url], PASSWORD)).toMatchObject({ code: 0, stderr: '' });
    expect(server.accounts.all.get('mace')).toMatchObject({ groups: ['mace'], password: PASSWORD });
    expect(await lastOf('$settings')).toStrictEqual({ data: RIGHTS, number: 0 });
    expect((await lastOf('$$$all'))?.number).toBe(0);
    const again = await setUp(['--url', url, '--user', 'plain', '--new-password'], `${PASSWORD}2`);
    expect(again).toMatchObject({ code: 0, stderr: '' });
    expect(server.accounts.all.get('plain')).toMatchObject({
      groups: ['mace'],
      password: `${PASSWORD}2`,
    });
  });

  it('refuses with the answer of a follower that knows no leader, and changes nothing', async () => {
    const follower = await server.follower(ELECTION[1]);
    const url = follower.urlFor('admin', ADMIN_PASSWORD);
    const { code, stdout, stderr } = await setUp(['--url', url], PASSWORD);
    expect({ code, stdout }).toStrictEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/No leader info available/);
    expect(server.accounts.all.has('mace')).toBe(false);
    await expect(lastOf('$settings')).rejects.toMatchObject({ type: 'stream-not-found' });
  });

  it('names in one sentence why it cannot make a user', async () => {
    const insecure = await startScriptedServer({});
    const cases: [url: string, code: number, sentence: RegExp][] = [
      [server.urlFor('admin', 'wrong'), 4, /refuses the user and password/],
      [server.urlFor('ops', ADMIN_PASSWORD), 4, /may not make users .* member of \$admins/],
      [admin.replace(/admin:[^@]*@/, ''), 4, /names no user/],
      [insecure.url, 4, /runs without TLS \(--insecure\), so it has no users/],
      [node.url, 4, /is the embedded event store, which has no users/],
      ['esdb://127.0.0.1:1', 4, /names no user/],
      ['esdb://admin:x@127.0.0.1:1', 2, /127\.0\.0\.1:1 cannot be reached/],
      ['nowhere', 2, /it must begin with esdb:/],
    ];
    const ended = await Promise.all(cases.map(([url]) => setUp(['--url', url])));
    insecure.stop();
    for (const [index, [url, code, sentence]] of cases.entries()) {
      expect({ url, ...ended[index] }).toStrictEqual({
        url,
        code,
        stdout: '',
        stderr: expect.stringMatching(sentence),
      });
      expect(ended[index]?.stderr.trim().split('\n')).toHaveLength(1);
    }
  });

  it('a user without these rights gets the reason with the command that gives them', async () => {
    server.accounts.add('nobody', PASSWORD);
    const [host] = await survey(server.urlFor('nobody', PASSWORD));
    expect(host?.diagnosis).toStrictEqual({
      kind: 'setting',
      sentence: expect.stringMatching(/read \$all\. .* mace event-store setup --user/),
    });
  });

  it('an append without the right to write fails with the command that gives it', async () => {
    await write('$$$all', '$metadata', { $acl: { $r: ['reader'] } });
    await write('$settings', '$settings', { $userStreamAcl: { $w: ['$admins'] } });
    server.accounts.add('reader', PASSWORD);
    const store = connectEventStore(server.urlFor('reader', PASSWORD));
    const metadata = { command_id: 'c', hash: 'h' } as EventToAppend['metadata'];
    const event = { id: randomUUID(), type: 'noted', data: {}, metadata };
    await expect(store.append('job-x', 'no_stream', [event])).rejects.toThrow(
      /may not write job-x\. .* mace event-store setup/,
    );
    for (const writeFailure of ['MEMORY_WRITE_FAIL', 'SEM_WRITE_FAIL'] as const) {
      const aggregates = new AggregateStore(store, counter, { writeFailure });
      await expect(aggregates.execute('counter-x', [add(1)], identity())).rejects.toMatchObject({
        code: writeFailure,
        logged: { reason: expect.stringMatching(/may not write counter-x\. .* event-store setup/) },
      });
    }
    await store.close();
  });
});

describe('The service with a user of mace event-store setup', () => {
  let node: OwnEventStore;
  let server: SecuredEventStore;
  let postgres: TestServer;
  let service: TestService;
  let url: string;
  beforeAll(async () => {
    [node, postgres] = await Promise.all([startOwnEventStore(), startTestPostgres()]);
    server = await startSecuredEventStore(node.url);
    const { code } = await mace(['event-store', 'setup', '--user', 'mace'], {
      MACE_EVENTSTORE_ADMIN_URL: server.urlFor('admin', ADMIN_PASSWORD),
      MACE_EVENTSTORE_USER_PASSWORD: PASSWORD,
    });
    expect(code).toBe(0);
    url = server.urlFor('mace', PASSWORD);
    service = await TestService.start({ servers: { eventStore: { ...node, url }, postgres } });
  });
  afterAll(async () => {
    await service?.stop();
    server?.stop();
    await Promise.all([node?.stop(), postgres?.stop()]);
  });

  it('writes its streams, reads $all into its read models, and is ready', async () => {
    const token = await service.token('agent');
    const put = await service.call('POST', '/v1/jobs', { token, body: { job_seed: 'least' } });
    expect(put.status).toBe(201);
    const body = { type: 'fact', value: 'kept' };
    expect((await service.call('POST', '/v1/jobs/least/wm', { token, body })).status).toBe(201);
    const ended = await service.call('POST', '/v1/jobs/least/end', { token, body: {} });
    expect(ended.status).toBe(200);
    const listed = await service.call<object>('GET', '/v1/jobs', {
      token: await service.token('auditor'),
      headers: { 'mace-min-position': ended.headers.get('mace-position') ?? '' },
    });
    expect(JSON.stringify(listed.body)).toContain('"job_seed":"least"');
    expect((await service.call('GET', '/health/ready')).status).toBe(200);
  });

  it('can delete no stream, change no metadata and no rights, and read no stream of the server', async () => {
    const client = EventStoreDBClient.connectionString(url);
    const denied = { type: 'access-denied' };
    await expect(client.deleteStream('job-least')).rejects.toMatchObject(denied);
    await expect(client.tombstoneStream('job-least')).rejects.toMatchObject(denied);
    await expect(client.setStreamMetadata('job-least', { maxCount: 1 })).rejects.toMatchObject(
      denied,
    );
    const event = jsonEvent({ type: '$settings', data: {} });
    await expect(client.appendToStream('$settings', event)).rejects.toMatchObject(denied);
    const reading = (async () => {
      for await (const _ of client.readStream('$settings'));
    })();
    await expect(reading).rejects.toMatchObject(denied);
    await client.dispose();
  });
});
