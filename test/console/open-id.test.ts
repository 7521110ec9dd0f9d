import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { named } from '#test/support/named.js';
import { TestService } from '#test/support/service.js';
import { AUDIENCE } from '#test/support/token-issuer.js';
import { ConsoleBrowser } from './support/browser.js';
import { OpenIdProvider } from './support/open-id-provider.js';

let provider: OpenIdProvider;
let service: TestService;
let browser: ConsoleBrowser;

beforeAll(async () => {
  provider = await OpenIdProvider.start();
  service = await TestService.start({ environment: provider.environment });
  browser = await ConsoleBrowser.start();
});
afterAll(async () => {
  await browser?.stop();
  await service?.stop();
  provider?.stop();
});

test('a person signs in at the provider, and comes back to the page that was asked for', async () => {
  const sub = named('ada');
  provider.person = { sub, roles: ['council'], ttl: 300 };
  const page = await browser.openSignedOut(service, '/search');
  expect(await page.violations()).toStrictEqual([]);
  expect(await page.page.getByText('npx mace console').count()).toBe(0);
  await page.page.getByRole('button', { name: /^Sign in with 127\.0\.0\.1/ }).click();
  await page.page.getByRole('link', { name: 'Continue' }).click();
  await page.page.getByText(`${sub} · council`).waitFor();
  await page.page.getByRole('heading', { name: 'Search' }).waitFor();
  expect(page.page.url()).toMatch(/\/console\/search(\?.*)?$/);
  expect(page.page.url()).not.toMatch(/code|state/);
  expect(Object.fromEntries(provider.asked)).toMatchObject({
    scope: 'openid memory',
    audience: AUDIENCE,
    code_challenge: expect.stringMatching(/^[\w-]{43}$/),
  });
  expect(page.errors).toStrictEqual([]);
  await page.close();
});

test('the page says why the provider did not sign a person in, and that a token without roles does not help', async () => {
  const page = await browser.openSignedOut(service);
  const signIn = page.page.getByRole('button', { name: /^Sign in with/ });
  await signIn.click();
  await page.page.getByRole('link', { name: 'Refuse' }).click();
  await page.page.getByText(/did not sign you in. You refused/).waitFor();
  provider.person = { sub: named('nobody'), roles: [], ttl: 300 };
  await signIn.click();
  await page.page.getByRole('link', { name: 'Continue' }).click();
  await page.page.getByText(/has none of the roles/).waitFor();
  await page.page.goto(`${service.url}/console/sign-in?code=forged&state=forged`);
  await page.page.getByText(/did not sign you in/).waitFor();
  expect(page.page.url()).toBe(`${service.url}/console/sign-in`);
  expect(await page.violations()).toStrictEqual([]);
  await page.close();
});

test('the console may send data to the service and to the provider, and nowhere else', async () => {
  const { headers } = await service.call('GET', '/console/');
  expect(headers.get('content-security-policy')).toContain(`connect-src 'self' ${provider.url};`);
});
