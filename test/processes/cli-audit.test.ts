import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import messages from '#domain/errors/golden_messages.json' with { type: 'json' };
import { CHAIN_START, chainHash } from '#domain/determinism/hash-chain.js';
import { connectEventStore } from '#event-store/event-store-db.js';
import { startOwnEventStore, type TestServer } from '../support/servers.js';
import { TestService } from '../support/service.js';
import { TEST_KEYS } from '../support/test-keys.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { collected } from '../contract/event-store-collected.js';
import { mace } from '#test/support/cli-run.js';

const RECORDINGS = ['first', 'second'].map((job_seed) => ({
  job_seed,
  messages: [
    { role: 'user', content: 'My id is ada_l_1815' },
    {
      role: 'assistant',
      content: 'Thank you, ada_l_1815',
      tool_calls: [{ id: 'c', function: { name: 'book_it', arguments: '{"id":"ada_l_1815"}' } }],
    },
    { role: 'tool', tool_call_id: 'c', content: '{"seat":"12A window"}' },
    { role: 'assistant', content: 'Booked' },
  ],
}));

describe('The command line with two recorded runs', () => {
  const folder = temporaryFolder('cli-audit');
  const at = (...names: string[]): string => join(folder.path, ...names);
  const env = { MACE_JWT_SECRET: TEST_KEYS.MACE_JWT_SECRET, PORT: '' };
  let service: TestService;
  let other: TestServer;

  beforeAll(async () => {
    // The commands replay, export and copy the whole log.
    [service, other] = await Promise.all([
      TestService.start({ ownLog: true }),
      startOwnEventStore(),
    ]);
    env.PORT = new URL(service.url).port;
    const file = at('runs.jsonl');
    writeFileSync(file, RECORDINGS.map((run) => JSON.stringify(run)).join('\n'));
    const { code, stderr } = await mace(['import', file], env);
    expect([stderr, code]).toStrictEqual([stderr, 0]);
  });
  afterAll(async () => {
    await service.stop();
    await other.stop();
    folder.remove();
  });

  it('mace replay replays one job or all jobs, in both modes', async () => {
    const one = await mace(['replay', 'first', '--mode', 'strict'], env);
    expect([one.stderr, one.code]).toStrictEqual([one.stderr, 0]);
    expect(one.stdout).toMatch(/^identical {2}first {2}\d+ events {2}[0-9a-f]{64}\n$/);
    const all = await mace(['replay', '--all', '--json'], env);
    expect([all.stderr, all.code]).toStrictEqual([all.stderr, 0]);
    const { jobs } = JSON.parse(all.stdout) as { jobs: { job_seed: string; identical: boolean }[] };
    expect(jobs.map(({ job_seed, identical }) => [job_seed, identical]).sort()).toStrictEqual([
      ['first', true],
      ['second', true],
    ]);
  });

  it('mace shows a refused request with what to do instead and its trace id, and exits with code 2', async () => {
    const { code, stdout, stderr } = await mace(['replay', 'nobody'], env);
    expect([code, stdout]).toStrictEqual([2, '']);
    expect(stderr.split('\n')).toStrictEqual([
      expect.stringMatching(/^Using http:\S+ as mace-replay \(roles: auditor\) from /),
      messages.NOT_FOUND.user_message,
      expect.stringMatching(/^NOT_FOUND: ./),
      'Instead: GET /v1/jobs shows what there is.',
      expect.stringMatching(/^trace id: \S+$/),
      '',
    ]);
    const exported = await mace(['export', 'nobody', '--out', at('none')], env);
    expect([exported.code, existsSync(at('none'))]).toStrictEqual([2, false]);
    const denied = await mace(['rebuild', 'sem', '--token', 'not-a-token'], env);
    expect(denied.code).toBe(2);
    expect(denied.stderr).toMatch(/UNAUTHENTICATED/);
  });

  it('mace at writes what the log held at a time to one file that verifies, and any change of it is found', async () => {
    const token = await service.token('admin');
    const put = (value: number) =>
      service.call('PUT', '/v1/sem/world/fact/tower/height', { token, body: { value } });
    await put(1);
    await delay(5);
    const time = new Date().toISOString();
    await delay(5);
    await put(2);
    const said = await mace(['at', time], env);
    expect(said.stdout).toBe(
      `At ${time}, the log ended at position ${/position (\d+)/.exec(said.stdout)?.[1]}.\n`,
    );
    const escaped = '\u001b[2J\u202etower';
    await service.call('PUT', '/v1/sem/world/fact/tower/name', { token, body: { value: escaped } });
    const job = await mace(['at', new Date(Date.now() - 1).toISOString(), '--job', 'first'], env);
    expect(job.stdout).toMatch(
      /\nJob first, ended at tick \d+, event \d+ of \S+Z: .*\nIn its memory: /,
    );
    const facts = await mace(['at', time, '--prefix', 'world/fact/tower'], env);
    expect(facts.stdout).toMatch(
      /\nFacts: 1 fact\n {2}world\/fact\/tower\/height = 1 {2}\(version 0 of \S+Z\)\n$/,
    );
    await service.call('POST', '/v1/memory/interactions', {
      token: await service.token('agent'),
      body: {
        ...{ assistant: 'helper', session_id: 'talk', user_id: 'ada' },
        memory: { short_term: 4, semantic: true, profile: true },
        ...{ user_text: 'I like tea.', ai_text: 'Noted.' },
      },
    });
    await delay(5);
    const later = new Date(Date.now() - 1).toISOString();
    const person = await mace(['at', later, '--user', 'ada'], env);
    expect(person.stdout).toMatch(/\nSessions: 1 session\n {2}talk {2}with helper since \S+Z\n$/);
    // A terminal obeys no stored text.
    await delay(5);
    const now = new Date(Date.now() - 1).toISOString();
    const named = await mace(['at', now, '--prefix', 'world/fact/tower/name'], env);
    expect(named.stdout).toContain('= \\u{1b}[2J\\u{202e}tower');
    const written = await mace(
      ['at', time, '--job', 'first', '--prefix', 'world/', '--out', at('then')],
      env,
    );
    expect([written.stderr, written.code]).toStrictEqual([written.stderr, 0]);
    const keys = at('keys.json');
    // The keys are public: nothing here can make a token.
    const saved = await mace(['keys', '--out', keys, '--url', service.url]);
    expect([saved.stderr, saved.code]).toStrictEqual(['', 0]);
    const published = await (await fetch(`${service.url}/.well-known/jwks.json`)).json();
    expect(JSON.parse(readFileSync(keys, 'utf8'))).toStrictEqual(published);
    const again = await mace(['keys', '--out', keys], env);
    expect([again.code, again.stderr]).toStrictEqual([2, expect.stringContaining('overwritten')]);
    const json = await mace(['keys', '--json'], env);
    expect(JSON.parse(json.stdout)).toStrictEqual({ ...(published as object), file: null });
    const intact = await mace(['verify', at('then'), '--key', keys]);
    expect([intact.stdout, intact.code]).toStrictEqual([intact.stdout, 0]);
    expect(intact.stdout).toMatch(
      /^intact {2}the log at \S+: position \d+, hash [0-9a-f]{64}\n +2 streams, \d+ events/,
    );
    const lines = readFileSync(at('then'), 'utf8').split('\n').slice(0, -1);
    expect(lines.join('\n')).toContain('"value":1');
    expect(lines.join('\n')).not.toContain('"value":2');
    const fact = lines.findIndex((line) => line.includes('"stream":"sem-world/fact/tower/height"'));
    const changes: readonly [string, string[], RegExp][] = [
      [
        'edited',
        lines.with(-1, lines.at(-1)!.replace('"value":1', '"value":3')),
        /BROKEN.*\n +sem-world\/fact\/tower\/height was changed/,
      ],
      ['cut', lines.slice(0, fact), /has other streams than its first line says/],
      ['short', lines.slice(0, -1), /sem-world\/fact\/tower\/height was changed/],
      ['more', [...lines, ...lines.slice(fact)], /has other streams than its first line says/],
      [
        'moved',
        lines.with(0, lines[0]!.replace(time.slice(0, 10), '2020-01-01')),
        /its signature is not valid/,
      ],
    ];
    for (const [name, changed, finding] of changes) {
      const file = at(`then-${name}`);
      writeFileSync(file, changed.map((line) => `${line}\n`).join(''));
      const { code, stdout } = await mace(['verify', file, '--key', keys]);
      expect([name, code, stdout]).toStrictEqual([name, 1, expect.stringMatching(finding)]);
    }
    const newer = lines.with(0, lines[0]!.replace('mace-moment-1', 'mace-moment-2'));
    writeFileSync(at('then-later'), newer.map((line) => `${line}\n`).join(''));
    const unknown = await mace(['verify', at('then-later')]);
    expect([unknown.code, unknown.stderr]).toStrictEqual([
      2,
      expect.stringMatching(/later version/),
    ]);
    const future = await mace(['at', '2999-01-01T00:00Z'], env);
    expect([future.code, future.stderr]).toStrictEqual([
      2,
      expect.stringContaining('is in the future'),
    ]);
    const wrong = await mace(['at', 'yesterday'], env);
    expect([wrong.code, wrong.stderr]).toStrictEqual([
      2,
      expect.stringContaining('such as 2026-11-25T10:32Z'),
    ]);
  });

  it('mace verify says what a file of another kind is, and does not call it broken', async () => {
    const keys = at('jwks.json');
    writeFileSync(keys, await (await fetch(`${service.url}/.well-known/jwks.json`)).text());
    const ofKeys = await mace(['verify', keys]);
    expect([ofKeys.code, ofKeys.stdout, ofKeys.stderr]).toStrictEqual([
      2,
      '',
      expect.stringContaining(`--key ${keys}`),
    ]);
    const checkpoint = at('log.checkpoint');
    writeFileSync(checkpoint, '{"created_at":"…","events":1,"kind":"log_checkpoint"}\n');
    const ofLog = await mace(['verify', checkpoint]);
    expect([ofLog.code, ofLog.stdout, ofLog.stderr]).toStrictEqual([
      2,
      '',
      expect.stringContaining(`mace verify --log --since ${checkpoint}`),
    ]);
    const others = {
      'other-jwks.json': [JSON.stringify({ keys: [{ kty: 'OKP' }] }, null, 2), 'has keys'],
      'other-manifest.json': [JSON.stringify({ kind: 'mace_backup' }, null, 2), 'mace restore'],
      'other-runs.jsonl': ['{"messages":[]}\n', 'mace import'],
      'other-keys.json': ['{"signingKey":"a","sealingKey":"b"}', 'private keys'],
    };
    for (const [name, [content = '', said = '']] of Object.entries(others)) {
      writeFileSync(at(name), content);
      const { code, stdout, stderr } = await mace(['verify', at(name)]);
      expect([code, stdout, stderr]).toStrictEqual([2, '', expect.stringContaining(said)]);
    }
  });

  it('mace export writes bundles that verify, and mace verify names the exact event that was tampered with', async () => {
    const exported = await mace(['export', '--all', '--out', at('bundles')], env);
    expect([exported.stderr, exported.code]).toStrictEqual([exported.stderr, 0]);
    expect(readdirSync(at('bundles')).sort()).toStrictEqual(['first.ndjson', 'second.ndjson']);
    const intact = await mace(['verify', at('bundles')]);
    expect([intact.stdout, intact.code]).toStrictEqual([intact.stdout, 0]);
    expect(intact.stdout).toMatch(/2 bundles intact, none broken/);

    const lines = readFileSync(at('bundles', 'first.ndjson'), 'utf8').split('\n');
    expect(lines.pop()).toBe('');
    const inserted = lines.findIndex((line) => line.includes('"type":"wm_inserted"'));
    const number = inserted - 1;
    const cases: readonly [string, string[], RegExp][] = [
      [
        'edited',
        lines.with(inserted, lines[inserted]!.replace('ada_l_1815', 'eve_l_1815')),
        new RegExp(`event ${number} \\(wm_inserted, line ${inserted + 1}\\) was edited`),
      ],
      ['deleted', lines.toSpliced(inserted, 1), new RegExp(`event ${number} is missing`)],
      ['cut off', lines.slice(0, -1), new RegExp(`event ${lines.length - 2} is missing`)],
      [
        'inserted',
        lines.toSpliced(inserted, 0, lines[inserted]!),
        new RegExp(`event ${number} \\(wm_inserted, line ${inserted + 2}\\) was inserted`),
      ],
      [
        'moved',
        lines.toSpliced(inserted, 1).toSpliced(inserted + 1, 0, lines[inserted]!),
        new RegExp(`event ${number} .*was moved`),
      ],
      ['spaced', lines.with(inserted, ` ${lines[inserted]}`), /is not as it was exported/],
    ];
    for (const [what, changed, says] of cases) {
      writeFileSync(at('tampered.ndjson'), `${changed.join('\n')}\n`);
      const { code, stdout } = await mace(['verify', at('tampered.ndjson')]);
      expect([what, code]).toStrictEqual([what, 1]);
      expect(stdout).toMatch(says);
    }
  });

  it('mace rebuild rebuilds a read model, and mace lists all read models', async () => {
    const rebuilt = await mace(['rebuild', 'episodes'], env);
    expect([rebuilt.stderr, rebuilt.code]).toStrictEqual([rebuilt.stderr, 0]);
    expect(rebuilt.stdout).toMatch(/^episodes is rebuilt and live/);
    const listed = await mace(['rebuild', '--json'], env);
    const { projections } = JSON.parse(listed.stdout) as { projections: { name: string }[] };
    expect(projections.some(({ name }) => name === 'episodes')).toBe(true);
    expect((await mace(['rebuild', 'nothing'], env)).code).toBe(2);
  });

  it('mace copy-log copies the log to another event store, continues an interrupted copy, and detects a difference', async () => {
    const copy = (): ReturnType<typeof mace> =>
      mace(['copy-log', '--from', service.eventStore.url, '--to', other.url, '--json']);
    const first = await copy();
    expect([first.stderr, first.code]).toStrictEqual([first.stderr, 0]);
    const report = JSON.parse(first.stdout) as { events: number; already_there: number };
    expect(report.events).toBeGreaterThan(0);
    expect(report.already_there).toBe(0);

    const { code, stdout } = await mace(['import', at('runs.jsonl'), '--json'], env);
    expect([stdout, code]).toStrictEqual([stdout, 0]);
    const third = { ...RECORDINGS[0], job_seed: 'third' };
    writeFileSync(at('third.jsonl'), JSON.stringify(third));
    expect((await mace(['import', at('third.jsonl')], env)).code).toBe(0);
    const again = JSON.parse((await copy()).stdout) as typeof report;
    expect(again.already_there).toBe(report.events);
    expect(again.events).toBeGreaterThan(report.events);

    const target = connectEventStore(other.url);
    const source = connectEventStore(service.eventStore.url);
    const last = (await source.lastOf('job-third'))!;
    const copied = (await target.lastOf('job-third'))!;
    expect([copied.id, copied.number, copied.data]).toStrictEqual([
      last.id,
      last.number,
      last.data,
    ]);
    const id = '00000000-0000-4000-8000-000000000000';
    await target.append('job-third', copied.number, [{ ...copied, id }]);
    await Promise.all([source.close(), target.close()]);
    const differs = await copy();
    expect(differs.code).toBe(1);
    expect(differs.stderr).toMatch(/The logs differ/);
  });

  it('mace replay and mace export go on after a job that the service refuses, name it and exit with code 2', async () => {
    // An earlier release accepted the seed `..`, which a URL cannot name.
    const log = connectEventStore(service.eventStore.url);
    const [first] = await collected(log.readStream('job-first'));
    const { type, data, metadata } = first!;
    const renamed = { ...data, job_seed: '..' } as typeof data;
    const stream = 'job-..';
    const hash = chainHash(CHAIN_START, { stream, number: 0, type, data: renamed, metadata });
    await log.append(stream, 'no_stream', [
      { id: randomUUID(), type, data: renamed, metadata: { ...metadata, hash } },
    ]);

    await service.caughtUp();
    const replayed = await mace(['replay', '--all', '--json'], env);
    expect([replayed.stderr, replayed.code]).toStrictEqual([replayed.stderr, 2]);
    const report = JSON.parse(replayed.stdout) as Record<string, { job_seed: string }[]>;
    expect(report['jobs']!.map(({ job_seed }) => job_seed).sort()).toStrictEqual([
      'first',
      'second',
      'third',
    ]);
    expect(report['not_checked']!.map(({ job_seed }) => job_seed)).toStrictEqual(['..']);
    const exported = await mace(['export', '--all', '--out', at('some')], env);
    expect(exported.code).toBe(2);
    expect(exported.stderr).toMatch(
      /FAILED {5}\.\. {2}INVALID_INPUT: .+\n1 job could not be exported/,
    );
    expect(readdirSync(at('some')).sort()).toStrictEqual([
      'first.ndjson',
      'second.ndjson',
      'third.ndjson',
    ]);
  });
});
