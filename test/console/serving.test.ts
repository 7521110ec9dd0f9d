import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { request } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { TestService } from '#test/support/service.js';
import { ConsoleBrowser } from './support/browser.js';

/** The most bytes that the first page may need, compressed. */
const FIRST_PAGE_BYTES = 250_000;
const IMMUTABLE = 'public, max-age=31536000, immutable';

interface Answered {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

describe('The service serves the console', () => {
  let service: TestService;
  let script: string;

  beforeAll(async () => {
    service = await TestService.shared();
    const page = (await get('/console/')).body.toString();
    script = /<script [^>]*src="([^"]+)"/.exec(page)?.[1] ?? '';
  });
  afterAll(() => service?.stop());

  /** Sends a request whose path and answer nothing normalises or decodes. */
  const get = (
    path: string,
    headers: Record<string, string> = {},
    method = 'GET',
  ): Promise<Answered> =>
    new Promise((resolve, reject) => {
      const { hostname, port } = new URL(service.url);
      const sent = request({ hostname, port, path, headers, method }, (answer) => {
        const pieces: Buffer[] = [];
        answer.on('data', (piece: Buffer) => pieces.push(piece));
        answer.on('end', () =>
          resolve({
            status: answer.statusCode ?? 0,
            headers: answer.headers,
            body: Buffer.concat(pieces),
          }),
        );
      });
      sent.on('error', reject);
      sent.end();
    });

  test('every address of the console is its page, which is asked for again each time and mostly not sent again', async () => {
    const page = await get('/console/');
    expect(page.status).toBe(200);
    expect(page.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache',
      'x-content-type-options': 'nosniff',
    });
    expect((await get('/console/jobs/a.b')).body).toStrictEqual(page.body);
    const moved = await get('/console');
    expect([moved.status, moved.headers['location']]).toStrictEqual([302, '/console/']);
    const unchanged = await get('/console/', { 'if-none-match': String(page.headers['etag']) });
    expect([unchanged.status, unchanged.body.length]).toStrictEqual([304, 0]);
  });

  test('the policy of a page allows no other origin, and nothing inline', async () => {
    const { headers } = await get('/console/');
    const policy = String(headers['content-security-policy']);
    expect(policy).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self';/);
    expect(policy).toContain("connect-src 'self';");
    expect(policy).not.toMatch(/unsafe|http|\*/);
  });

  test('a script is sent as the build has compressed it, for ever', async () => {
    const plain = await get(script);
    expect(plain.headers).toMatchObject({
      'content-type': expect.stringMatching(/^(text|application)\/javascript; charset=utf-8$/),
      'cache-control': IMMUTABLE,
      vary: 'accept-encoding',
    });
    for (const [encoding, decompress] of [
      ['br', brotliDecompressSync],
      ['gzip', gunzipSync],
    ] as const) {
      const sent = await get(script, { 'accept-encoding': encoding });
      expect(sent.headers).toMatchObject({
        'content-encoding': encoding,
        'content-type': expect.stringMatching(/^(text|application)\/javascript; charset=utf-8$/),
        'cache-control': IMMUTABLE,
        vary: 'accept-encoding',
      });
      expect(sent.body.length).toBeLessThan(plain.body.length / 2);
      expect(decompress(sent.body).equals(plain.body)).toBe(true);
    }
  });

  test('HEAD answers as GET does, without a body', async () => {
    for (const path of ['/console/', script]) {
      const [got, head] = [await get(path), await get(path, {}, 'HEAD')];
      expect([head.status, head.body.length]).toStrictEqual([200, 0]);
      expect(head.headers['content-type']).toBe(got.headers['content-type']);
      expect(head.headers['etag']).toBe(got.headers['etag']);
    }
  });

  test('a missing asset, and a path that leaves the folder, are not found', async () => {
    const folders = [
      '..%2f..%2fpackage.json',
      '%2e%2e/%2e%2e/package.json',
      '..%5c..%5cpackage.json',
    ];
    for (const path of [
      ...['assets/none.js', 'assets/', 'assets', '%00', '/etc/passwd', '%2fetc%2fpasswd'],
      ...folders,
      ...folders.map((folder) => `assets/${folder}`),
      `${script.replace('/console/', '')}.br`,
    ]) {
      const { status, body } = await get(`/console/${path}`);
      expect([path, status]).toStrictEqual([path, 404]);
      const { error_code } = JSON.parse(body.toString()) as { readonly error_code: string };
      expect([path, error_code]).toStrictEqual([path, 'NOT_FOUND']);
    }
  });

  test('the first page takes less than 250 kB, and asks no other host', async () => {
    const browser = await ConsoleBrowser.start();
    const page = await browser.open(service, await service.token(['council', 'auditor']));
    const asked: string[] = [];
    page.page.on('request', (sent) => asked.push(new URL(sent.url()).origin));
    // The network is never idle, because the page follows the log.
    await page.page.reload();
    await page.page.getByRole('heading', { name: 'What wants attention now' }).waitFor();
    await page.settled();
    const own = await page.page.evaluate<number[]>(COMPRESSED_SIZES);
    expect(own.length).toBeGreaterThan(3);
    expect(own.reduce((sum, bytes) => sum + bytes, 0)).toBeLessThan(FIRST_PAGE_BYTES);
    expect(new Set(asked)).toStrictEqual(new Set([service.url]));
    await browser.stop();
  });
});

/** The sizes in bytes of what the page has loaded from the console, as they came over the network. */
const COMPRESSED_SIZES = `[...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
  .filter(({ name }) => new URL(name).pathname.startsWith('/console'))
  .map(({ encodedBodySize }) => encodedBodySize)`;
