import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { backUp } from '#apps/cli/backup/back-up.js';
import type { Manifest } from '#apps/cli/backup/manifest.js';
import { restore } from '#apps/cli/backup/restore-data.js';
import { openArtifacts } from '#artifacts/index.js';
import { Caller } from '#test/support/caller.js';
import { type ServiceClient } from '#test/support/service-client.js';
import { ServiceProcess } from '#test/support/service-process.js';
import { temporaryFolder } from '#test/support/temporary-folder.js';
import { mace } from '#test/support/cli-run.js';
import { until } from './support/until.js';

interface Written {
  readonly seed: string;
  readonly position: bigint;
}

interface Report {
  readonly position: string;
  readonly log_id: string;
  readonly queued_writes: number;
  readonly artifacts: number;
  readonly left_out: readonly string[];
}

const ARTIFACT = 'A long answer. '.repeat(2_000);

const folder = temporaryFolder('backup');
const at = (...names: string[]): string => join(folder.path, ...names);
const portOf = ({ url }: ServiceClient): string => new URL(url).port;
const environmentOf = (dataDir: string, client: ServiceClient) => ({
  MACE_DATA_DIR: dataDir,
  PORT: portOf(client),
});

afterAll(() => folder.remove());

/** Runs short jobs, one after the other, until it is stopped. */
class LightLoad {
  readonly written: Written[] = [];
  private isStopping = false;
  private readonly running: Promise<void>;

  constructor(private readonly agent: Caller) {
    this.running = this.run();
  }

  async stop(): Promise<void> {
    this.isStopping = true;
    await this.running;
  }

  private async run(): Promise<void> {
    for (let number = 1; !this.isStopping; number += 1) {
      const seed = `load-${number}`;
      await this.agent.post('jobs', { job_seed: seed });
      await this.agent.post(`jobs/${seed}/wm`, { type: 'fact', value: { number } });
      await this.agent.post(`jobs/${seed}/wm/wm:${seed}:1/references`);
      const { headers } = await this.agent.did('POST', `jobs/${seed}/end`, { body: {} });
      this.written.push({ seed, position: BigInt(headers.get('mace-position') ?? '') });
    }
  }
}

describe('After the loss of the data directory, a backup that was made under load', () => {
  const lost = at('lost');
  const backup = at('backup');
  const restored = at('restored');
  let report: Report;
  let written: readonly Written[];
  let tokens: { readonly agent: string; readonly auditor: string };
  let artifact: Awaited<ReturnType<typeof keepArtifact>>;
  let service: ServiceProcess;
  let client: ServiceClient;

  const keepArtifact = async (dataDir: string) =>
    (await openArtifacts(join(dataDir, 'artifacts'), undefined)).put(ARTIFACT);
  const get = <Body>(path: string, token: string) =>
    client.call<Body>('GET', `/v1/${path}`, { token });

  beforeAll(async () => {
    service = ServiceProcess.spawn(lost);
    client = await service.ready();
    const agent = await Caller.of(client, 'agent');
    const auditor = await Caller.of(client, 'auditor');
    tokens = { agent: agent.token, auditor: auditor.token };
    artifact = await keepArtifact(lost);
    await agent.did('PUT', 'notes', { body: { namespace: ['kept'], key: 'k', value: 'a note' } });
    const load = new LightLoad(agent);
    await until('there is some load', () => load.written.length >= 5);
    const exported = await mace(
      ['export', 'load-1', '--out', at('bundles')],
      environmentOf(lost, client),
    );
    expect([exported.stderr, exported.code]).toStrictEqual([exported.stderr, 0]);
    const made = await mace(['backup', '--out', backup, '--json'], environmentOf(lost, client));
    expect([made.stderr, made.code]).toStrictEqual(['', 0]);
    report = JSON.parse(made.stdout) as Report;
    await until('there is load after the backup', () =>
      load.written.some(({ position }) => position > BigInt(report.position)),
    );
    await load.stop();
    written = load.written;
    const signed = await mace(
      ['checkpoint', '--out', at('checkpoint')],
      environmentOf(lost, client),
    );
    expect([signed.stderr, signed.code]).toStrictEqual([signed.stderr, 0]);
    await service.stop('SIGKILL');
    rmSync(lost, { recursive: true });
    const { code, stderr } = await mace(['restore', backup, '--data-dir', restored]);
    expect([stderr, code]).toStrictEqual(['', 0]);
    service = ServiceProcess.spawn(restored);
    client = await service.ready();
  });
  afterAll(async () => {
    await service?.stop();
  });

  it('gives back every job that was acknowledged up to its position, and none that began after it', async () => {
    const [before, after] = [
      written.filter(({ position }) => position <= BigInt(report.position)),
      written.filter(({ position }) => position > BigInt(report.position)),
    ];
    expect([before.length > 0, after.length > 0]).toStrictEqual([true, true]);
    for (const { seed } of before) {
      const { status, body } = await get<{ status: string }>(`jobs/${seed}`, tokens.agent);
      expect([seed, status, body.status]).toStrictEqual([seed, 200, 'ended']);
    }
    const last = await get(`jobs/${after.at(-1)?.seed}`, tokens.agent);
    expect(last.status).toBe(404);
  });

  it('replays identically and passes verify --log', async () => {
    const env = environmentOf(restored, client);
    const replay = await mace(['replay', '--all'], env);
    expect([replay.stderr, replay.code]).toStrictEqual([replay.stderr, 0]);
    const verified = await mace(['verify', '--log', '--decisions'], env);
    expect([verified.stdout, verified.code]).toStrictEqual([
      expect.stringContaining('no findings'),
      0,
    ]);
  });

  it('lacks what a later checkpoint has, and verify --since names it', async () => {
    const { stdout, code } = await mace(
      ['verify', '--log', '--since', at('checkpoint'), '--json'],
      environmentOf(restored, client),
    );
    expect([stdout, code]).toStrictEqual([stdout, 1]);
    const { findings } = JSON.parse(stdout) as { findings: { stream: string; problem: string }[] };
    const missing = findings.filter(({ problem }) => problem === 'stream_missing');
    expect(missing.map(({ stream }) => stream)).toContain(`job-${written.at(-1)?.seed}`);
  });

  it('brings back the keys: earlier tokens work, and earlier bundles verify with its key set', async () => {
    expect((await get('jobs/load-1', tokens.auditor)).status).toBe(200);
    const jwks = await client.call('GET', '/.well-known/jwks.json');
    writeFileSync(at('keys.json'), JSON.stringify(jwks.body));
    const bundle = at('bundles', 'load-1.ndjson');
    const { stdout, code } = await mace(['verify', bundle, '--key', at('keys.json'), '--ended']);
    expect([stdout, code]).toStrictEqual([stdout, 0]);
  });

  it('brings back the artifacts', async () => {
    expect(report.artifacts).toBe(1);
    const artifacts = await openArtifacts(join(restored, 'artifacts'), undefined);
    expect(await artifacts.get(artifact)).toBe(ARTIFACT);
  });

  it('finds every note: the naming key is in the log, and the sealing key opens it', async () => {
    const { body } = await get('notes?namespace=kept&key=k', tokens.agent);
    expect(body).toMatchObject({ value: 'a note', version: 1 });
  });

  it('takes new writes, which continue the log', async () => {
    const agent = await Caller.of(client, 'agent');
    const { headers } = await agent.did('POST', 'jobs', { body: { job_seed: 'new' } });
    expect(BigInt(headers.get('mace-position') ?? '')).toBeGreaterThan(BigInt(report.position));
    expect(readFileSync(join(restored, 'log-id'), 'utf8').trim()).toBe(report.log_id);
  });

  it('leaves out no file that the service has made in the data directory', () => {
    expect(report.left_out).toStrictEqual([]);
  });

  it('has keys that only its user can read, in folders that only its user can enter', () => {
    const seen = readdirSync(backup, { recursive: true, encoding: 'utf8' });
    expect(seen).toContain(join('data', 'keys.json'));
    for (const path of ['.', ...seen]) expect(lstatSync(join(backup, path)).mode & 0o077).toBe(0);
  });

  it('is refused if one byte of any of its files has changed, or if a file is missing', async () => {
    const { signal } = new AbortController();
    const target = at('refused');
    const restoring = () =>
      restore({
        ...{ from: backup, dataDir: target, signal },
        ...{ onSize: () => undefined, onChecked: () => undefined, onCopied: () => undefined },
      });
    const manifest = readFileSync(join(backup, 'manifest.json'), 'utf8');
    const { files } = JSON.parse(manifest) as Manifest;
    const paths = ['manifest.json', ...files.map(({ path }) => join('data', path))];
    expect(paths.length).toBeGreaterThan(8);
    for (const path of paths) {
      const whole = readFileSync(join(backup, path));
      const flipped = Buffer.from(whole);
      const place = randomBytes(4).readUInt32BE() % whole.length;
      flipped[place]! ^= 1 << (place % 8);
      writeFileSync(join(backup, path), flipped);
      await expect(restoring()).rejects.toMatchObject({ exitCode: 3 });
      rmSync(join(backup, path));
      await expect(restoring()).rejects.toMatchObject({ exitCode: 3 });
      writeFileSync(join(backup, path), whole);
    }
    expect(existsSync(target)).toBe(false);
    rmSync(join(backup, 'data', 'keys.json'));
    const { code, stderr } = await mace(['restore', backup, '--data-dir', target]);
    expect([code, stderr]).toStrictEqual([
      3,
      expect.stringMatching(/incomplete: .*keys\.json is missing\. Nothing was restored\./),
    ]);
  });
});

describe('A refused write that waits for room in the log', () => {
  const full = at('full');
  const backup = at('backup-of-queue');
  const restored = at('restored-with-queue');
  let service: ServiceProcess;

  beforeAll(() => {
    // The log is full from the start, so it does not even have an id.
    service = ServiceProcess.spawn(full, { MACE_EVENTSTORE_QUOTA_BYTES: '0' });
  });
  afterAll(async () => {
    await service?.stop();
  });

  it('is in the backup, and is written after the restore', async () => {
    const client = await service.ready();
    const admin = await Caller.of(client, 'admin');
    const path = 'sem/world/fact/patient/value';
    await admin.refused('STORAGE_FULL', 'PUT', path, { body: { value: 'kept' }, key: 'kept' });
    const made = await mace(['backup', '--out', backup, '--json'], environmentOf(full, client));
    expect([made.stderr, made.code]).toStrictEqual(['', 0]);
    expect((JSON.parse(made.stdout) as Report).queued_writes).toBe(1);
    await service.stop();
    const { code, stderr } = await mace(['restore', backup, '--data-dir', restored]);
    expect([stderr, code]).toStrictEqual(['', 0]);
    service = ServiceProcess.spawn(restored);
    const again = await Caller.of(await service.ready(), 'admin');
    await until('the fact is written', async () => {
      const { status, body } = await again.ask<{ value?: unknown }>('GET', path);
      return status === 200 && body.value === 'kept';
    });
  });

  it('is in the backup of a service that is stopped, too', async () => {
    await service.stop();
    const made = await mace(['backup', '--out', at('backup-of-stopped'), '--json'], {
      MACE_DATA_DIR: full,
    });
    expect([made.stderr, made.code]).toStrictEqual(['', 0]);
    expect((JSON.parse(made.stdout) as Report).queued_writes).toBe(1);
  });

  it('is not lost by a backup that is interrupted, which leaves nothing', async () => {
    const interruption = new AbortController();
    const options = {
      ...{ dataDir: full, postgresUrl: undefined, signal: interruption.signal },
      ...{ onEvents: () => undefined, onArtifact: () => undefined },
      onEnd: () => interruption.abort(new Error('interrupted')),
    };
    await expect(backUp({ ...options, out: at('new', 'folder') })).rejects.toThrow();
    expect(existsSync(at('new', 'folder'))).toBe(false);
    mkdirSync(at('empty'));
    await expect(backUp({ ...options, out: at('empty') })).rejects.toThrow();
    expect(readdirSync(at('empty'))).toStrictEqual([]);
  });
});

describe('A backup that cannot read the artifacts or the queue of refused writes', () => {
  const unreadable = at('unreadable');
  beforeAll(() => cpSync(at('full'), unreadable, { recursive: true }));

  it.each(['artifacts', join('admin-queue', 'refused-writes')])('fails: %s', async (path) => {
    rmSync(join(unreadable, path), { recursive: true, force: true });
    // A file in place of a folder, or a folder in place of a file.
    if (path === 'artifacts') writeFileSync(join(unreadable, path), '');
    else mkdirSync(join(unreadable, path), { recursive: true });
    const { code, stderr } = await mace(['backup', '--out', at('never')], {
      MACE_DATA_DIR: unreadable,
    });
    expect([code, stderr]).toStrictEqual([2, expect.stringContaining('No backup was written')]);
    expect(existsSync(at('never'))).toBe(false);
    rmSync(join(unreadable, path), { recursive: true });
  });
});

describe('A restore that was killed', () => {
  const backup = at('backup-of-queue');
  const target = at('killed');

  beforeAll(() => {
    // The state after the first files.
    mkdirSync(join(target, 'event-store'), { recursive: true });
    writeFileSync(join(target, 'restore-unfinished'), '');
    cpSync(join(backup, 'data', 'event-store', 'events.lmdb'), join(target, 'event-store', 'x'));
  });

  it('is refused by the service and by mace backup, with exit code 4', async () => {
    const service = ServiceProcess.spawn(target);
    expect(await service.exited).toBe(4);
    expect(service.stderr).toMatch(/A restore into .* was not finished/);
    const { code, stderr } = await mace(['backup', '--out', at('never')], {
      MACE_DATA_DIR: target,
    });
    expect([code, stderr]).toStrictEqual([4, expect.stringContaining('was not finished')]);
  });

  it('is begun anew by the next one', async () => {
    const { code, stderr, stdout } = await mace(['restore', backup, '--data-dir', target]);
    expect([stderr, code]).toStrictEqual(['', 0]);
    expect(stdout).toContain(`MACE_DATA_DIR=${target} npm start`);
    expect(readdirSync(target)).not.toContain('restore-unfinished');
    expect(readdirSync(join(target, 'event-store'))).not.toContain('x');
    expect(readFileSync(join(target, 'keys.json'))).toStrictEqual(
      readFileSync(join(backup, 'data', 'keys.json')),
    );
  });

  it('writes over no data', async () => {
    const { code, stderr } = await mace(['restore', backup, '--data-dir', target]);
    expect([code, stderr]).toStrictEqual([4, expect.stringContaining('is not empty')]);
  });

  it('writes nothing into the backup, with which it would be lost', async () => {
    const inside = join(backup, 'restored');
    const { code, stderr } = await mace(['restore', backup, '--data-dir', inside]);
    expect([code, stderr]).toStrictEqual([4, expect.stringContaining('is inside the backup')]);
    expect(existsSync(inside)).toBe(false);
  });

  it('writes over no file', async () => {
    const file = join(target, 'keys.json');
    const { code, stderr } = await mace(['restore', backup, '--data-dir', file]);
    expect([code, stderr.trim().split('\n')]).toStrictEqual([
      2,
      [expect.stringContaining('could not be written, so nothing was restored')],
    ]);
  });
});

describe('mace backup refuses', () => {
  const backup = at('backup-of-queue');

  it('a folder that is not empty, and one inside the data directory', async () => {
    const env = { MACE_DATA_DIR: at('full') };
    const over = await mace(['backup', '--out', dirname(backup)], env);
    expect([over.code, over.stderr]).toStrictEqual([2, expect.stringContaining('is not empty')]);
    const inside = await mace(['backup', '--out', at('full', 'backup')], env);
    expect([inside.code, inside.stderr]).toStrictEqual([
      2,
      expect.stringContaining('inside the data directory'),
    ]);
  });

  it('servers of one’s own and a directory without data, with exit code 4', async () => {
    const out = at('never');
    const own = await mace(['backup', '--out', out], {
      MACE_EVENTSTORE_URL: 'esdb://127.0.0.1:2113?tls=false',
    });
    expect([own.code, own.stderr]).toStrictEqual([4, expect.stringContaining('docs/backups.md')]);
    const none = await mace(['backup', '--out', out], { MACE_DATA_DIR: at('nothing') });
    expect([none.code, none.stderr]).toStrictEqual([4, expect.stringContaining('no event store')]);
    expect(existsSync(out)).toBe(false);
  });
});
