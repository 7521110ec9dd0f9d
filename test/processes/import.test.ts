import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { MaceClient } from '#client/mace-client.js';
import { named } from '../support/named.js';
import { TestService } from '../support/service.js';
import { TEST_KEYS } from '../support/test-keys.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { type CliEnded, CliProcess, mace } from '#test/support/cli-run.js';

const run = (name: string, messages: number): string =>
  JSON.stringify({
    job_seed: named(name),
    messages: Array.from({ length: messages }, (_, index) =>
      index % 2 === 0
        ? { role: 'user', content: `My order is A-${100 + (index % 6)}, line ${index}` }
        : { role: 'assistant', content: `About order A-${100 + (index % 6)}: yes` },
    ),
  });

/** A run that the import sends in four batches. */
const LONG = run('long', 700);

/**
 * A proxy that forwards every request up to the `nth` batch. The service gets that batch, but its answer
 * is lost.
 */
async function losingTheAnswer(
  service: TestService,
  nth: number,
  onLost: () => void,
): Promise<Server> {
  let batches = 0;
  const proxy = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      void (async () => {
        const { method = 'GET', url = '', headers } = request;
        const {
          host: _host,
          connection: _connection,
          'content-length': _length,
          ...kept
        } = headers;
        const answer = await fetch(service.url + url, {
          method,
          headers: kept as Record<string, string>,
          ...(method === 'GET' ? {} : { body: Buffer.concat(chunks) }),
        });
        const body = await answer.text();
        if (url.endsWith('/commands')) batches += 1;
        if (batches >= nth) return onLost();
        response.writeHead(answer.status, { 'content-type': 'application/json' });
        response.end(body);
      })();
    });
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  return proxy;
}

describe('mace import', () => {
  const folder = temporaryFolder('import');
  const file = (name: string, ...lines: string[]): string => {
    const path = join(folder.path, name);
    writeFileSync(path, lines.join('\n'));
    return path;
  };
  const imported = (service: TestService, path: string): Promise<CliEnded> =>
    mace(['import', path, '--url', service.url, '--json'], {
      MACE_JWT_SECRET: TEST_KEYS.MACE_JWT_SECRET,
    });
  const clientOf = async (service: TestService): Promise<MaceClient> =>
    new MaceClient({ baseUrl: service.url, token: await service.token(['auditor']) });
  let service: TestService;
  let undisturbed: TestService;

  beforeAll(async () => {
    // A job's first event pins the memories, so two jobs are equal only if the logs hold nothing else.
    service = await TestService.start({ ownLog: true });
    undisturbed = await TestService.start({ ownLog: true });
  });
  afterAll(async () => {
    await service.stop();
    await undisturbed.stop();
    folder.remove();
  });

  it('mace import, killed and then run again, gives the same job as an uninterrupted import', async () => {
    const path = file('long.jsonl', LONG);
    const killed = await new Promise<CliEnded>((resolve, reject) => {
      let cli: CliProcess | undefined;
      const lost = () => cli?.child.kill('SIGKILL');
      losingTheAnswer(service, 2, lost).then((proxy) => {
        const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
        const { MACE_JWT_SECRET } = TEST_KEYS;
        cli = CliProcess.spawn(['import', path, '--url', url], { MACE_JWT_SECRET });
        cli.ended.then((ended) => {
          proxy.closeAllConnections();
          proxy.close();
          resolve(ended);
        }, reject);
      }, reject);
    });
    expect(killed.code).toBeNull();
    const client = await clientOf(service);
    const halfway = await client.job(named('long')).get();
    expect(halfway.status).toBe('running');
    expect(halfway.version).toBeGreaterThan(500);

    const resumed = await imported(service, path);
    expect([resumed.stderr, resumed.code]).toStrictEqual([resumed.stderr, 0]);
    expect((await imported(undisturbed, path)).code).toBe(0);
    const report = await client.job(named('long')).replay('strict');
    const expected = await (await clientOf(undisturbed)).job(named('long')).replay('strict');
    expect(report.identical).toBe(true);
    expect(report.content_hash).toBe(expected.content_hash);
    expect(report.events_checked).toBe(expected.events_checked);
  });

  it('mace import, run a second time, adds no event', async () => {
    const path = file('twice.jsonl', run('twice-a', 30), run('twice-b', 20));
    const first = await imported(service, path);
    expect([first.stderr, first.code]).toStrictEqual([first.stderr, 0]);
    const client = await clientOf(service);
    const heads = async () =>
      Promise.all(
        ['twice-a', 'twice-b'].map(
          async (name) => (await client.job(named(name)).replay()).head_hash,
        ),
      );
    const before = await heads();
    const second = await imported(service, path);
    expect([second.stderr, second.code]).toStrictEqual([second.stderr, 0]);
    expect(await heads()).toStrictEqual(before);
    const counts = ({ stdout }: CliEnded): unknown => {
      const {
        duration_ms: _took,
        already_there: _old,
        ...rest
      } = JSON.parse(stdout) as Record<string, unknown>;
      return rest;
    };
    expect(counts(second)).toStrictEqual(counts(first));
    expect(JSON.parse(first.stdout)).toMatchObject({ already_there: 0 });
    expect(JSON.parse(second.stdout)).toMatchObject({ already_there: 2 });
  });

  it('mace import - reads the recordings from the standard input', async () => {
    const arguments_ = ['import', '-', '--url', service.url, '--json'];
    const secret = { MACE_JWT_SECRET: TEST_KEYS.MACE_JWT_SECRET };
    const { code, stdout } = await mace(arguments_, secret, undefined, run('piped', 4));
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ runs: 1, failed: [] });
    const empty = await mace(arguments_, secret, undefined, '');
    expect(empty).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('The standard input is empty.'),
    });
  });

  it('mace import names bad lines by number, imports the others, and exits with code 1', async () => {
    const path = file(
      'mixed.jsonl',
      run('good-1', 4),
      '{"job_seed":',
      '',
      run('good-2', 4),
      run('good-1', 2),
    );
    const { code, stdout } = await imported(service, path);
    expect(code).toBe(1);
    const { runs, failed } = JSON.parse(stdout) as { runs: number; failed: { line: number }[] };
    expect(runs).toBe(2);
    expect(failed.map(({ line }) => line)).toStrictEqual([2, 5]);
  });

  it('mace import refuses another recording under an imported seed, and changes nothing', async () => {
    expect((await imported(service, file('a.jsonl', run('same', 6)))).code).toBe(0);
    const client = await clientOf(service);
    const before = await client.job(named('same')).replay();
    const { code, stdout } = await imported(service, file('b.jsonl', run('same', 8)));
    expect(code).toBe(1);
    expect(stdout).toMatch(/imported from another recording/);
    expect(await client.job(named('same')).replay()).toStrictEqual(before);
  });
});
