import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ROLES } from '#platform/auth/roles.js';
import { TestService } from '#test/support/service.js';
import { ConsoleBrowser, type ConsolePage } from './support/browser.js';
import { exampleOf, type PageWorld } from './support/page-examples.js';
import { emptyWorld, fullWorld } from './support/page-world.js';

/** The answer in place of the service's, when a page is opened in error. */
const UNAVAILABLE = {
  ...{ error_code: 'READ_UNAVAILABLE', status: 503, severity: 'error' },
  user_message: 'I can’t look that up right now. Please try again in a moment.',
  developer_message: 'Postgres does not answer.',
  meta: { query_id: 'q', timestamp: '2026-01-01T00:00:00.000Z', trace_id: 'f00d' },
};
type State = 'empty' | 'full' | 'error';
const NARROW = { width: 400, height: 800 };
const WIDE = { width: 1280, height: 800 };

/** True for the requests of a page, and not of the frame around it. */
const isAboutThePage = (path: string): boolean =>
  path !== '/v1/events' && !path.startsWith('/v1/console/');

describe('Every page of the router', () => {
  let service: TestService;
  let browser: ConsoleBrowser;
  let token: string;
  let routes: readonly string[];

  beforeAll(async () => {
    service = await TestService.start({ ownLog: true });
    browser = await ConsoleBrowser.start();
    token = await service.token(ROLES, { sub: 'everybody', user_id: 'everybody' });
    const any = await browser.open(service, token);
    routes = await any.routes();
    await any.close();
  });
  afterAll(async () => {
    await browser?.stop();
    await service?.stop();
  });

  /** Opens every page, in two windows at a time, and returns what is wrong, a line for each fault. */
  async function faultsOf(world: PageWorld, state: State): Promise<string[]> {
    const halves = [0, 1].map((half) => routes.filter((_, index) => index % 2 === half));
    return (await Promise.all(halves.map((half) => faultsIn(half, world, state)))).flat();
  }

  async function faultsIn(
    paths: readonly string[],
    world: PageWorld,
    state: State,
  ): Promise<string[]> {
    const window = await browser.open(service, token, '/sign-in');
    const asked: string[] = [];
    if (state === 'error')
      await window.page.route('**/v1/**', (route) => {
        asked.push(new URL(route.request().url()).pathname);
        return route.fulfill({ status: 503, json: UNAVAILABLE });
      });
    const faults: string[] = [];
    for (const path of paths) {
      asked.length = 0;
      const found = await faultsOfPage(window, exampleOf(path, world), state);
      const isSilent = asked.some(isAboutThePage) && !(await window.hasAlert());
      if (isSilent) found.push('an answer failed, and the page says nothing');
      faults.push(...found.map((fault) => `${path} ${state}: ${fault}`));
    }
    await window.close();
    return faults;
  }

  async function faultsOfPage(window: ConsolePage, path: string, state: State): Promise<string[]> {
    const { page } = window;
    await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
    await page.setViewportSize(WIDE);
    await window.goto(path);
    await window.settled();
    const light = await window.violations();
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.setViewportSize(NARROW);
    const dark = await window.violations();
    const headings = await page.locator('h1').count();
    const overflow = await window.overflow();
    // The browser itself writes each answer of 4xx and 5xx to its console.
    const errors = window.errors
      .splice(0)
      .filter((text) => state === 'full' || !text.startsWith('Failed to load resource'));
    return [
      ...light.map((violation) => `light, wide: ${violation}`),
      ...dark.map((violation) => `dark, narrow: ${violation}`),
      ...(headings === 1 ? [] : [`${headings} h1`]),
      ...(overflow === 0 ? [] : [`scrolls by ${overflow} px at ${NARROW.width} px`]),
      ...((await page.title()) === 'hacked' ? ['a script in a value ran'] : []),
      ...errors,
    ];
  }

  it('has an example for its parameters', () => {
    const missing = routes.filter((route) => exampleOf(route, emptyWorld) === '');
    expect(missing).toStrictEqual([]);
  });

  it('meets the rules of accessibility while the memory is empty', async () => {
    expect(await faultsOf(emptyWorld, 'empty')).toStrictEqual([]);
  });

  it('meets them while the service does not answer', async () => {
    expect(await faultsOf(emptyWorld, 'error')).toStrictEqual([]);
  });

  it('meets them when it is full of hostile content, which is shown as text', async () => {
    const world = await fullWorld(service, token);
    expect(await faultsOf(world, 'full')).toStrictEqual([]);
  });
});
