import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { MaceClient } from '#client/mace-client.js';
import { until } from '#test/faults/support/until.js';
import { freePort } from '#test/support/free-port.js';
import { named } from '#test/support/named.js';
import { type Proxy, startProxy } from '#test/support/proxy.js';
import { startTestEventStore, startTestPostgres, type TestServer } from '#test/support/servers.js';
import { TestService } from '#test/support/service.js';
import { ServiceClient } from '#test/support/service-client.js';
import { ConsoleBrowser, type ConsolePage } from './support/browser.js';

const SEED = named('session-job');
const OTHER_SECRET = 'jwt:Zt4KwPq9Nv2Xc7Lm0Rb5Hy8Ds3Gf6JaU';
const TYPED = 'half a thought';

describe('A session of the console', () => {
  let servers: { readonly eventStore: TestServer; readonly postgres: TestServer };
  let proxy: Proxy;
  let port: number;
  let service: TestService;
  let browser: ConsoleBrowser;

  const startAgain = async (environment: Record<string, string> = {}): Promise<TestService> =>
    TestService.start({ servers, environment: { PORT: String(port), ...environment } });

  beforeAll(async () => {
    const postgres = await startTestPostgres();
    proxy = await startProxy(postgres.url);
    port = await freePort();
    const proxied = { url: proxy.url, stop: () => postgres.stop() };
    servers = { eventStore: await startTestEventStore(), postgres: proxied };
    service = await startAgain();
    await service.caughtUp();
    browser = await ConsoleBrowser.start();
    const token = await service.token('agent');
    const mace = new MaceClient({ baseUrl: service.url, token });
    await mace.jobs.start({ job_seed: SEED, goal: 'Keep what was typed' });
  });
  afterAll(async () => {
    await browser?.stop();
    await service?.stop();
    await proxy?.stop();
    await servers?.postgres.stop();
    await servers?.eventStore.stop();
  });

  const field = ({ page }: ConsolePage) => page.getByLabel('Search', { exact: true });
  const dialog = ({ page }: ConsolePage) => page.getByRole('dialog', { name: 'Sign in again' });
  const pasteInDialog = async (page: ConsolePage, text: string): Promise<void> => {
    await dialog(page).getByLabel('Token or sign-in link').fill(text);
    await dialog(page).getByRole('button', { name: 'Sign in', exact: true }).click();
  };
  const auditor = (sub: string, ttl?: number): Promise<string> =>
    service.token('auditor', { sub, ...(ttl === undefined ? {} : { ttl }) });

  test('a token that expires in mid-work is announced, and a new one goes on with all that was typed', async () => {
    const sub = named('reviewer');
    const page = await browser.open(service, await auditor(sub, 240), `/jobs/${SEED}`);
    await page.page.getByText('Your session ends in 4 minutes.').waitFor();
    await field(page).fill(TYPED);
    await page.page.clock.install();
    await page.page.clock.fastForward(241_000);
    await dialog(page).waitFor();
    expect(await page.violations()).toStrictEqual([]);
    await page.page.keyboard.press('Escape');
    await dialog(page).waitFor({ state: 'detached' });
    await page.page.getByText('Your session has ended.').waitFor();
    await page.page.getByRole('button', { name: 'Sign in again' }).click();
    await pasteInDialog(page, 'nothing');
    await dialog(page).getByText('This is not a token of MACE Memory').waitFor();
    await pasteInDialog(page, await auditor(sub));
    await dialog(page).waitFor({ state: 'detached' });
    await page.page.getByText('Your session has ended.').waitFor({ state: 'detached' });
    expect(await field(page).inputValue()).toBe(TYPED);
    await page.close();
  });

  test('a sign-in in another tab as the same person goes on here too, and as another person it does not', async () => {
    const sub = named('two-tabs');
    const page = await browser.open(service, await auditor(sub, 200), `/jobs/${SEED}`);
    await field(page).fill(TYPED);
    await page.page.getByRole('button', { name: 'Sign in again' }).click();
    const signInElsewhere = async (token: string): Promise<void> => {
      const opening = page.page.context().waitForEvent('page');
      await dialog(page).getByRole('link', { name: 'Sign in in another tab' }).click();
      const other = await opening;
      await other.getByLabel('Token or sign-in link').fill(token);
      await other.getByRole('button', { name: 'Sign in', exact: true }).click();
      await other.getByRole('heading', { name: 'What wants attention now' }).waitFor();
      await other.close();
    };
    await signInElsewhere(await auditor(named('somebody-else')));
    expect(await dialog(page).isVisible()).toBe(true);
    await signInElsewhere(await auditor(sub));
    await dialog(page).waitFor({ state: 'detached' });
    expect(await field(page).inputValue()).toBe(TYPED);
    await page.close();
  });

  test('another person who signs in over the page is led to the start page', async () => {
    const page = await browser.open(service, await auditor(named('first'), 200), `/jobs/${SEED}`);
    await page.page.getByRole('button', { name: 'Sign in again' }).click();
    const next = named('second');
    await pasteInDialog(page, await auditor(next));
    await page.page.getByRole('heading', { name: 'What wants attention now' }).waitFor();
    await page.page.getByText(`${next} · auditor`).waitFor();
    await page.close();
  });

  test('the page says why the service is not ready, and goes on when it is', async () => {
    const page = await browser.open(service, await auditor(named('patient')), `/jobs/${SEED}`);
    proxy.disconnect();
    await page.page.getByRole('link', { name: 'Jobs' }).click();
    await page.page.getByText('Postgres is not available: it does not answer.').waitFor();
    proxy.reconnect();
    await page.page.getByText('Postgres is not available').waitFor({ state: 'detached' });
    await page.page.getByText(SEED).first().waitFor();
    await page.close();
  });

  test('a service that is stopped and comes back with other keys is waited for, and asks to sign in again', async () => {
    const sub = named('survivor');
    const page = await browser.open(service, await auditor(sub), `/jobs/${SEED}`);
    await field(page).fill(TYPED);
    await service.stop();
    await page.page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`);
    await field(page).press('Enter');
    await page.page.getByText('The service cannot be reached.').first().waitFor();
    expect(await page.violations()).toStrictEqual([]);
    service = await startAgain({ MACE_JWT_SECRET: OTHER_SECRET });
    await dialog(page).waitFor();
    await page.page.getByText('The service cannot be reached.').waitFor({ state: 'detached' });
    const elsewhere = new ServiceClient(service.url, OTHER_SECRET);
    await pasteInDialog(page, await elsewhere.token('auditor', { sub }));
    await dialog(page).waitFor({ state: 'detached' });
    expect(await field(page).inputValue()).toBe(TYPED);
    await page.close();
  });

  test('the colours follow the system, or the choice that the browser keeps', async () => {
    const page = await browser.open(service, await auditor(named('dark')));
    const isShown = (background: string): Promise<void> =>
      until(`the page is ${background}`, async () => {
        const script = 'getComputedStyle(document.body).backgroundColor';
        return (await page.page.evaluate<string>(script)) === background;
      });
    const [light, dark] = ['rgb(246, 247, 249)', 'rgb(16, 18, 23)'] as const;
    await isShown(light);
    await page.page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
    await isShown(dark);
    await page.page.getByLabel('Colours').selectOption('light');
    await isShown(light);
    await page.goto('/jobs');
    await isShown(light);
    await page.page.getByLabel('Colours').selectOption('dark');
    await isShown(dark);
    expect(await page.violations()).toStrictEqual([]);
    expect(
      await page.page.evaluate(
        `getComputedStyle(document.querySelector('button')).transitionDuration`,
      ),
    ).toBe('0s');
    await page.close();
  });
});
