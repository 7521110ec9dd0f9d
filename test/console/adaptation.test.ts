import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { ROLES } from '#platform/auth/roles.js';
import { TestService } from '#test/support/service.js';
import { ConsoleBrowser, type ConsolePage } from './support/browser.js';
import { exampleOf, type PageWorld } from './support/page-examples.js';
import { fullWorld } from './support/page-world.js';

/** A window of 1280 by 800 pixels at a zoom of 200 %. */
const ZOOMED = { width: 640, height: 400 };

let service: TestService;
let browser: ConsoleBrowser;
let world: PageWorld;
let window: ConsolePage;

beforeAll(async () => {
  service = await TestService.start({ ownLog: true });
  browser = await ConsoleBrowser.start();
  const token = await service.token(ROLES, { sub: 'everybody', user_id: 'everybody' });
  world = await fullWorld(service, token);
  window = await browser.open(service, token, '/');
});

afterAll(async () => {
  await browser?.stop();
  await service?.stop();
});

/** Opens each page, and returns what `faultOf` finds there. */
async function onEachPage(faultOf: () => Promise<string>): Promise<string[]> {
  const faults: string[] = [];
  for (const route of await window.routes()) {
    await window.goto(exampleOf(route, world));
    await window.settled();
    const fault = await faultOf();
    if (fault !== '') faults.push(`${route}: ${fault}`);
  }
  return faults;
}

test('at a zoom of 200 % no page scrolls sideways, and the page begins in the first half of the window', async () => {
  const { page } = window;
  await page.setViewportSize(ZOOMED);
  const faults = await onEachPage(async () => {
    const overflow = await window.overflow();
    const top = (await page.locator('h1').first().boundingBox())?.y ?? Infinity;
    return overflow > 0 ? `scrolls by ${overflow} px` : top > 200 ? `begins at ${top} px` : '';
  });
  expect(faults).toStrictEqual([]);
  await page.setViewportSize({ width: 1280, height: 800 });
});

test('with high contrast, what is chosen is outlined, and nothing moves with reduced motion', async () => {
  const { page } = window;
  await page.emulateMedia({ forcedColors: 'active', reducedMotion: 'reduce' });
  const faults = await onEachPage(() =>
    page.evaluate(() => {
      const chosen = [
        ...document.querySelectorAll(
          'nav [aria-current=page], [aria-current=step], [aria-pressed=true]',
        ),
      ];
      const plain = chosen.filter((one) => getComputedStyle(one).outlineStyle === 'none');
      if (plain.length > 0) return `${plain.length} of ${chosen.length} look as the others`;
      const moving = document
        .getAnimations()
        .filter(({ effect }) => effect.getComputedTiming().duration > 1);
      return moving.length > 0 ? `${moving.length} move` : '';
    }),
  );
  expect(faults).toStrictEqual([]);
  await window.goto('/requests');
  await page.locator('li [data-row]').first().waitFor();
  const outlines = await page.evaluate(() =>
    [...document.querySelectorAll('li:has([data-row])')].map(
      (row) => getComputedStyle(row).outlineStyle,
    ),
  );
  expect(outlines.filter((style) => style === 'solid')).toHaveLength(1);
  await page.emulateMedia({ forcedColors: 'none', reducedMotion: 'no-preference' });
});

test('the focus goes from the skip link over the navigation to the page, is seen, and follows to the next page', async () => {
  const { page } = window;
  await window.goto('/facts');
  const focused = (): Promise<string> =>
    page.evaluate(() => {
      const { activeElement: at } = document;
      const isSeen = getComputedStyle(at).outlineStyle !== 'none';
      return `${at.textContent ?? ''}${isSeen ? '' : ', unseen'}`.trim();
    });
  const order: string[] = [];
  for (let presses = 0; presses < 5; presses += 1) {
    await page.keyboard.press('Tab');
    order.push(await focused());
  }
  expect(order).toStrictEqual(['Skip to the page', 'MACE Memory', 'Start', 'Requests', 'Jobs']);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Jobs' }).waitFor();
  expect(await page.evaluate(() => document.activeElement.id)).toBe('page');
  await page.getByRole('link', { name: 'Skip to the page' }).focus();
  await page.keyboard.press('Enter');
  expect(await page.evaluate(() => document.activeElement.id)).toBe('page');
});

test('an address without a page says so under a heading, keeps the navigation, and leads to the start page', async () => {
  await window.goto('/no/such/page');
  expect(await window.heading()).toBe('There is no page at this address');
  await window.page.getByRole('navigation', { name: 'Pages' }).getByText('Requests').waitFor();
  expect(await window.violations()).toStrictEqual([]);
  await window.page.getByRole('link', { name: 'Go to the start page' }).click();
  await window.page.getByRole('heading', { name: 'What wants attention now' }).waitFor();
});

test('a dialog that is taller than the window opens at its top', async () => {
  const { page } = window;
  await page.setViewportSize({ width: 390, height: 400 });
  await window.goto('/requests');
  await page.getByRole('button', { name: 'Keys ?' }).click();
  const dialog = page.getByRole('dialog', { name: 'Keys' });
  await dialog.waitFor();
  const [at, room] = await page.evaluate<[number, number]>(`
    const { scrollTop, scrollHeight, clientHeight } = document.querySelector('dialog[open]');
    [scrollTop, scrollHeight - clientHeight];
  `);
  expect(room).toBeGreaterThan(0);
  expect(at).toBe(0);
  expect(await page.evaluate<string>('document.activeElement.textContent')).toBe('Close');
  await page.keyboard.press('Escape');
  await page.setViewportSize({ width: 1280, height: 800 });
});

// The functions above that run in the page know these.
interface OnPage {
  readonly id: string;
  readonly textContent: string | null;
}
declare const document: {
  readonly activeElement: OnPage;
  getAnimations(): readonly {
    readonly effect: { getComputedTiming(): { readonly duration: number } };
  }[];
  querySelectorAll(selector: string): Iterable<OnPage>;
};
declare const getComputedStyle: (element: OnPage) => { readonly outlineStyle: string };
