import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { spawn } from 'node:child_process';
import { request } from 'node:http';
import { networkInterfaces } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { ErrorEnvelope } from '#domain/errors/envelope.js';
import { SignInLinks } from '#apps/api/console/sign-in-links.js';
import { mace } from '#test/support/cli-run.js';
import { named } from '#test/support/named.js';
import { TestService } from '#test/support/service.js';
import { TEST_KEYS } from '#test/support/test-keys.js';
import { temporaryFolder } from '#test/support/temporary-folder.js';
import { ConsoleBrowser, type ConsolePage } from './support/browser.js';

interface Link {
  readonly code: string;
  readonly expires_at: string;
}

/** What well-known proxies, load balancers, tunnels and content networks add to a request. */
const PROXY_HEADERS = [
  ...['forwarded', 'via', 'cdn-loop', 'x-forwarded', 'x-forwarded-for', 'x-forwarded-proto'],
  ...['x-original-forwarded-for', 'x-original-host', 'x-real-ip', 'x-client-ip', 'client-ip'],
  ...[
    'x-cluster-client-ip',
    'x-remote-ip',
    'x-originating-ip',
    'x-proxyuser-ip',
    'proxy-client-ip',
  ],
  ...['true-client-ip', 'cf-connecting-ip', 'cf-connecting-ipv6', 'cf-ray', 'fly-client-ip'],
  ...['fastly-client-ip', 'do-connecting-ip', 'x-envoy-external-address', 'x-appengine-user-ip'],
  ...['x-azure-clientip', 'x-arr-ssl', 'x-amzn-trace-id', 'x-amz-cf-id', 'x-vercel-forwarded-for'],
  ...['x-nf-client-connection-ip', 'wl-proxy-client-ip'],
];

describe('Sign-in links', () => {
  const expired = { code: 'UNAUTHENTICATED' };

  test('a link works once, and for five minutes', () => {
    let now = 1_000_000;
    const links = new SignInLinks(() => now);
    const [first, second, third] = [1, 2, 3].map((n) =>
      links.make(`token ${n}`, 'me', now + 86_400_000),
    );
    expect(first?.code).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(links.use(first?.code ?? '')).toBe('token 1');
    expect(() => links.use(first?.code ?? '')).toThrow(expect.objectContaining(expired));
    now += 5 * 60_000 - 1;
    expect(links.use(second?.code ?? '')).toBe('token 2');
    now += 1;
    expect(() => links.use(third?.code ?? '')).toThrow(expect.objectContaining(expired));
  });

  test('a link ends with its token, and its secret is kept only as a hash', () => {
    let now = 0;
    const links = new SignInLinks(() => now);
    const { code, expiresAt } = links.make('token', 'me', 1_000);
    expect(expiresAt).toBe(1_000);
    expect(JSON.stringify([...(Reflect.get(links, 'open') as Map<string, object>)])).not.toContain(
      code,
    );
    now = 1_000;
    expect(() => links.use(code)).toThrow(expect.objectContaining(expired));
  });

  test('a subject has at most 10 open links, and does not use up the links of others', () => {
    let now = 0;
    const links = new SignInLinks(() => now);
    const make = (sub: string) => links.make('token', sub, 86_400_000);
    const refused = expect.objectContaining({ code: 'RATE_LIMITED' });
    for (let n = 0; n < 10; n += 1) make('greedy');
    expect(() => make('greedy')).toThrow(refused);
    const { code } = make('other');
    for (let n = 1; n < 10; n += 1) make('other');
    expect(() => make('other')).toThrow(refused);
    links.use(code);
    expect(make('other').code).toHaveLength(43);
    now = 5 * 60_000;
    expect(make('greedy').code).toHaveLength(43);
  });

  test('at most 1,000 links are open at once', () => {
    const links = new SignInLinks(() => 0);
    for (let n = 0; n < 1_000; n += 1) links.make('token', `subject ${n}`, 86_400_000);
    expect(() => links.make('token', 'one more', 86_400_000)).toThrow(
      expect.objectContaining({ code: 'RATE_LIMITED' }),
    );
  });
});

describe('Signing in to the console', () => {
  let service: TestService;
  let browser: ConsoleBrowser;
  const folder = temporaryFolder('console');

  beforeAll(async () => {
    service = await TestService.start({ environment: { HOST: '0.0.0.0' } });
    browser = await ConsoleBrowser.start();
  });
  afterAll(async () => {
    await browser?.stop();
    await service?.stop();
    folder.remove();
  });

  const here = (): { url: string } => ({ url: service.url.replace('0.0.0.0', '127.0.0.1') });
  const linkFor = async (sub: string): Promise<string> => {
    const { status, body } = await service.call<Link>('POST', '/v1/console/links', {
      token: await service.token('council', { sub }),
    });
    expect(status).toBe(201);
    return body.code;
  };
  const signedInAs = (page: ConsolePage, sub: string): Promise<void> =>
    page.page.getByText(`${sub} · council`).waitFor();
  const alert = (page: ConsolePage): Promise<string> =>
    page.page.getByRole('alert').filter({ hasText: /./ }).first().innerText();

  test('mace console prints a link, which signs in once and leaves no secret in the address', async () => {
    const sub = named('linked');
    const { code, stdout } = await mace(
      ['console', '--role', 'council', 'auditor', '--sub', sub, '--no-open', '--url', here().url],
      { MACE_JWT_SECRET: TEST_KEYS.MACE_JWT_SECRET },
    );
    expect(code).toBe(0);
    const link = stdout.trim();
    expect(link).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/console\/sign-in#code=[\w-]{43}$/);
    const path = link.split('/console')[1] ?? '';
    const page = await browser.openSignedOut(here(), path);
    await page.page.getByText(`${sub} · council, auditor`).waitFor();
    expect(page.page.url()).toBe(`${here().url}/console/`);
    await page.page.goBack();
    expect(page.page.url()).not.toContain('code');
    const again = await browser.openSignedOut(here(), path);
    expect(await alert(again)).toMatch(/was used, is older than five minutes.*npx mace console/s);
    expect(again.page.url()).not.toContain('code');
    expect(await again.violations()).toStrictEqual([]);
    await again.close();
    await page.close();
  });

  test('a person who opens a page without a session gets there after the sign-in', async () => {
    const sub = named('directed');
    const page = await browser.openSignedOut(here(), '/integrity');
    await page.page
      .getByLabel('Token or sign-in link')
      .fill(await service.token('auditor', { sub }));
    await page.page.getByRole('button', { name: 'Sign in' }).click();
    await page.page.getByText(`${sub} · auditor`).waitFor();
    await page.page.getByRole('heading', { name: 'Verification of the log' }).waitFor();
    expect(page.page.url()).toContain('/console/integrity');
    await page.close();
  });

  test('a page of another site that an address names is not opened after the sign-in', async () => {
    const page = await browser.openSignedOut(here(), '/sign-in?to=//evil.test/');
    const sub = named('careful');
    await page.page
      .getByLabel('Token or sign-in link')
      .fill(await service.token('council', { sub }));
    await page.page.getByRole('button', { name: 'Sign in' }).click();
    await signedInAs(page, sub);
    expect(page.page.url()).toBe(`${here().url}/console/`);
    await page.close();
  });

  test('the page says what is wrong with a pasted text, and takes a link there too', async () => {
    const page = await browser.openSignedOut(here());
    expect(await page.heading()).toBe('Sign in to MACE Memory');
    expect(await page.violations()).toStrictEqual([]);
    const field = page.page.getByLabel('Token or sign-in link');
    const paste = async (text: string): Promise<void> => {
      await field.fill(text);
      await page.page.getByRole('button', { name: 'Sign in' }).click();
    };
    const saysThat = (words: RegExp): Promise<void> =>
      page.page.getByRole('alert').filter({ hasText: words }).first().waitFor();
    await paste('');
    await saysThat(/Paste a token or a sign-in link first/);
    await paste('hunter2');
    await saysThat(/not a token of MACE Memory/);
    await paste(await service.token('council', { ttl: -7_200 }));
    await saysThat(/expired 2 hours ago/);
    const [head, body] = (await service.token('council')).split('.');
    await paste(`${head}.${body}.c2lnbmF0dXJl`);
    await saysThat(/The service refuses this token/);
    await paste(await service.token([]));
    await saysThat(/has none of the roles/);
    expect(await page.violations()).toStrictEqual([]);
    const sub = named('pasted');
    await paste(`${here().url}/console/sign-in#code=${await linkFor(sub)}`);
    await signedInAs(page, sub);
    await page.page.getByRole('button', { name: 'Sign out' }).click();
    await field.waitFor();
    await page.page.evaluate(`location.hash = 'code=${await linkFor(sub)}'`);
    await signedInAs(page, sub);
    await page.close();
  });

  test('another machine, or a proxy, can neither make nor use a link', async () => {
    const token = await service.token('council');
    const code = await linkFor(named('nearby'));
    const refused = async (url: string, headers: Record<string, string>): Promise<void> => {
      for (const [path, body] of [
        ['/v1/console/links', {}],
        ['/v1/console/sign-in', { code }],
      ] as const) {
        const answer = await post(`${url}${path}`, body, {
          authorization: `Bearer ${token}`,
          ...headers,
        });
        expect([path, headers, answer.error_code]).toStrictEqual([
          path,
          headers,
          'PERMISSION_DENIED',
        ]);
      }
    };
    for (const header of PROXY_HEADERS) await refused(here().url, { [header]: 'for=127.0.0.1' });
    const outside = Object.values(networkInterfaces())
      .flatMap((addresses) => addresses ?? [])
      .find(({ family, internal }) => family === 'IPv4' && !internal);
    if (outside !== undefined) await refused(service.url.replace('0.0.0.0', outside.address), {});
    const used = await service.call<{ token: string }>('POST', '/v1/console/sign-in', {
      body: { code },
    });
    expect(used.body.token.split('.')).toHaveLength(3);
  });

  test('the log of the service has no code and no token', async () => {
    const code = await linkFor(named('unlogged'));
    await service.call('POST', '/v1/console/sign-in', { body: { code: `${code}x` } });
    expect(JSON.stringify(service.log)).not.toContain(code);
  });

  test('a service on a terminal prints a link for the council, and says how to get another role', async () => {
    const output = await onTerminal({ MACE_DATA_DIR: folder.path, PORT: '0' });
    const link =
      /Console +(http:\S+\/console\/sign-in#code=[\w-]{43})/.exec(output.text)?.[1] ?? '';
    expect(output.text).toMatch(/as reviewer with the role council;/);
    expect(output.text).toMatch(/npx mace console --role auditor --sub me/);
    const [url = '', path = ''] = link.split('/console');
    const page = await browser.openSignedOut({ url }, path);
    await page.page.getByText('reviewer · council').waitFor();
    await page.close();
    output.stop();
    await output.ended;
  });
});

/** Sends a POST from this machine to any of its addresses. */
function post(url: string, body: unknown, headers: Record<string, string>): Promise<ErrorEnvelope> {
  return new Promise((resolve, reject) => {
    const sent = request(
      url,
      { method: 'POST', headers: { ...headers, 'content-type': 'application/json' } },
      (answer) => {
        let text = '';
        answer.setEncoding('utf8').on('data', (piece: string) => (text += piece));
        answer.on('end', () => resolve(JSON.parse(text) as ErrorEnvelope));
      },
    );
    sent.on('error', reject);
    sent.end(JSON.stringify(body));
  });
}

const MAIN = fileURLToPath(import.meta.resolve('#programs/api.js'));

/** Starts the service with a terminal as its standard output, and returns when it has printed what runs. */
async function onTerminal(environment: Record<string, string>) {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('MACE_'));
  const child = spawn('script', ['-qefc', `${process.execPath} ${MAIN}`, '/dev/null'], {
    env: { ...Object.fromEntries(inherited), MACE_LOG_LEVEL: 'warn', ...environment },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const ended = new Promise((resolve) => child.once('close', resolve));
  let text = '';
  await new Promise<void>((resolve, reject) => {
    void ended.then(() => reject(new Error(`The service did not start: ${text}`)));
    child.stdout.setEncoding('utf8').on('data', (piece: string) => {
      text += piece;
      if (text.includes('Ctrl-C stops it.')) resolve();
    });
  });
  return { text, ended, stop: () => child.stdin.write('\u0003') };
}
