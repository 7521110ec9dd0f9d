import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { named } from '#test/support/named.js';
import { TestService } from '#test/support/service.js';
import { ConsoleBrowser, type ConsolePage } from './support/browser.js';
import { Proposals } from './support/proposals.js';
import { LoggedVotes, tray } from './support/votes.js';

let service: TestService;
let browser: ConsoleBrowser;
let opened: ConsolePage;
let proposals: Proposals;

beforeAll(async () => {
  service = await TestService.start({ ownLog: true });
  browser = await ConsoleBrowser.start();
  proposals = await Proposals.of(service, 'keys');
  await proposals.facts('one', 'two', 'three');
  await service.caughtUp();
  const token = await service.token('council', { sub: named('member') });
  opened = await browser.open(service, token);
});

afterAll(async () => {
  await browser?.stop();
  await service?.stop();
});

const heading = (name: string | RegExp) =>
  opened.page.getByRole('heading', { level: 1, name }).waitFor();
const back = () => opened.page.getByRole('link', { name: 'Back to the request' });
/** Follows a link of a request to the job that proposed it. */
const followJob = async (): Promise<void> => {
  const link = opened.page.locator(`main a[href*="/jobs/${proposals.jobSeed}"]`).first();
  await link.waitFor({ state: 'attached' });
  await opened.settled();
  if (!(await link.isVisible())) await press('.');
  await link.click({ timeout: 10_000 });
  await heading(`Job ${proposals.jobSeed}`);
};
const press = async (...keys: readonly string[]): Promise<void> => {
  for (const key of keys) await opened.page.keyboard.press(key);
};

test('? shows the keys of each page and those of every page', async () => {
  const dialog = opened.page.getByRole('dialog', { name: 'Keys' });
  for (const [path, own] of [
    ['/', undefined],
    ['/jobs', undefined],
    [`/jobs/${proposals.jobSeed}?at=0`, 'On the events of a job'],
    ['/facts', undefined],
    ['/privacy', undefined],
    ['/requests', 'In the queue'],
    [`/requests/${(await proposals.fact('shown')).request_id}`, 'On a request'],
  ] as const) {
    await opened.goto(path);
    await opened.settled();
    await press('?');
    await dialog.getByRole('heading', { name: 'On every page' }).waitFor();
    const titles = await dialog.getByRole('heading', { level: 3 }).allInnerTexts();
    expect(titles).toStrictEqual([own, 'On every page'].filter((title) => title !== undefined));
    await press('Escape');
    await dialog.waitFor({ state: 'detached' });
  }
  await press('?');
  await dialog.getByText('Go to Requests').waitFor();
  expect(await dialog.getByText('Go to Integrity').count()).toBe(0);
  expect(await opened.violations()).toStrictEqual([]);
  await press('Escape');
  expect(opened.errors).toStrictEqual([]);
});

test('g and a letter go to another page, and what follows g does nothing else', async () => {
  const { request_id } = await proposals.fact('went');
  await opened.goto(`/requests/${request_id}`);
  await opened.page.getByRole('button', { name: /^Reject/ }).waitFor();
  await press('g', 'x');
  expect(await opened.page.getByRole('region', { name: 'Votes on their way' }).count()).toBe(0);
  await press('g', 's');
  await heading('What wants attention now');
  await press('g', 'j');
  await heading('Jobs');
  await press('g', 'f');
  await heading('Facts');
  await opened.page.getByRole('combobox', { name: 'Colours' }).focus();
  await press('g', 'r');
  await heading('Facts');
  await opened.page.evaluate('document.activeElement.blur()');
  await press('g', 'r');
  await heading('Requests');
});

test('u leads back to the request from a page that was opened from it', async () => {
  const { request_id } = await proposals.fact('left');
  await opened.goto(`/requests/${request_id}?order=oldest`);
  await heading(proposals.keyOf('left'));
  await followJob();
  await back().waitFor();
  expect(await opened.violations()).toStrictEqual([]);
  await press('u');
  await heading(proposals.keyOf('left'));
  expect(opened.page.url()).toContain('order=oldest');
  await press('u');
  await heading('Requests');
  await press('g', 's');
  await heading('What wants attention now');
  expect(await back().count()).toBe(0);
});

test('Home and End go to the first and the last request of the queue', async () => {
  await opened.goto(proposals.queue);
  const focused = (name: string) =>
    opened.page.locator('a:focus', { hasText: proposals.keyOf(name) }).waitFor();
  await opened.page.getByRole('link', { name: proposals.keyOf('left') }).waitFor();
  await press('End');
  await focused('left');
  await press('Home');
  await focused('one');
});

test('one key opens all that is folded on a request, and closes it', async () => {
  const { request_id } = await proposals.fact('folded');
  await opened.goto(`/requests/${request_id}`);
  await opened.settled();
  const { page } = opened;
  const parts = page.locator('main details:not(:has(form))');
  await parts.nth(1).waitFor();
  await press('.');
  const states = () => page.evaluate<boolean[]>(OPEN_STATES);
  expect(new Set(await states())).toStrictEqual(new Set([true]));
  await opened.settled();
  expect(await opened.violations()).toStrictEqual([]);
  await press('.');
  expect(new Set(await states())).toStrictEqual(new Set([false]));
  expect(opened.errors).toStrictEqual([]);
});

/** Holds Enter down, which a keyboard then presses again and again. */
async function holdEnter({ page }: ConsolePage): Promise<void> {
  for (let time = 0; time < 5; time += 1) await page.keyboard.down('Enter');
  await page.keyboard.up('Enter');
}

test('a held Enter on Approve decides on one request', async () => {
  const held = await Proposals.of(service, 'held');
  const three = await held.facts('h1', 'h2', 'h3');
  const [first] = three;
  await opened.goto(`/requests/${first!.request_id}?proposer=${held.proposer}`);
  await opened.page.getByRole('button', { name: /^Approve/ }).focus();
  await holdEnter(opened);
  await opened.page.getByText('1 of 2', { exact: true }).waitFor();
  // The vote is sent by itself before, on a slow machine.
  await tray(opened).waitFor({ state: 'detached' });
  expect(await new LoggedVotes(service).of(...three)).toStrictEqual([1, 0, 0]);
});

test('a held Enter on a button that asks first does not give the answer', async () => {
  const admin = await browser.open(service, await service.token('admin'), '/integrity/projections');
  const posted: string[] = [];
  admin.page.on('request', (request) => {
    if (request.method() === 'POST') posted.push(request.url());
  });
  await admin.page.getByRole('button', { name: 'Rebuild jobs' }).focus();
  await holdEnter(admin);
  await admin.page.getByRole('dialog', { name: 'Rebuild jobs?' }).waitFor();
  expect(posted).toStrictEqual([]);
  // A second press is meant.
  await admin.page.keyboard.press('Enter');
  await admin.page.getByText('The rebuild of jobs has begun.').waitFor();
  expect(posted).toHaveLength(1);
  await admin.close();
});

test('a held Enter writes lines in a text, and a held Ctrl Enter sends it once', async () => {
  const asked: string[] = [];
  await opened.page.route('**/questions', async (route) => {
    asked.push(route.request().postData() ?? '');
    // Time for the keyboard to press again.
    await opened.page.waitForFunction(() => globalThis.repeated === true);
    await route.continue();
  });
  await opened.goto(`/requests/${(await proposals.fact('lines')).request_id}`);
  await opened.page.getByRole('button', { name: /^Ask/ }).waitFor();
  await press('q');
  const field = opened.page.getByRole('textbox', { name: 'Your question' });
  await field.fill('Since');
  await holdEnter(opened);
  expect(await field.inputValue()).toBe(`Since${'\n'.repeat(5)}`);
  await opened.page.keyboard.down('Control');
  await holdEnter(opened);
  await opened.page.keyboard.up('Control');
  await opened.page.evaluate(() => {
    globalThis.repeated = true;
  });
  await field.waitFor({ state: 'detached' });
  expect(asked).toHaveLength(1);
  await opened.page.unroute('**/questions');
});

test('the guide names every key of the queue and of a request', async () => {
  const rows = readFileSync('docs/console.md', 'utf8').matchAll(/^\| `([^|\n]*)` *\|/gm);
  const guided = new Set([...rows].flatMap(([, keys]) => keys!.split(/[ `]+/)));
  const dialog = opened.page.getByRole('dialog', { name: 'Keys' });
  for (const path of ['/requests', `/requests/${(await proposals.fact('named')).request_id}`]) {
    await opened.goto(path);
    await opened.settled();
    await press('?');
    const named = await dialog.locator('section').first().locator('kbd').allInnerTexts();
    expect(named.length).toBeGreaterThan(5);
    expect(named.filter((key) => !guided.has(key))).toStrictEqual([]);
    await press('Escape');
  }
});

const OPEN_STATES = `[...document.querySelectorAll('main details:not(:has(form))')].map(({ open }) => open)`;

// The functions above that run in the page know this.
declare global {
  var repeated: boolean | undefined;
}

test('the way back to a request stays along the links from it, and ends when the reader goes elsewhere', async () => {
  const { page } = opened;
  const { request_id } = await proposals.fact('elsewhere');
  const ways: readonly (() => Promise<void>)[] = [
    () => page.getByRole('navigation', { name: 'Pages' }).getByText('Facts').click(),
    () => press('g', 'f'),
    async () => {
      await press('Control+k');
      await page.getByRole('combobox', { name: 'Where to' }).fill('facts');
      await page.getByRole('option', { name: 'Page Facts' }).click();
    },
  ];
  for (const leave of ways) {
    await opened.goto(`/requests/${request_id}`);
    await heading(proposals.keyOf('elsewhere'));
    await followJob();
    await back().waitFor();
    await leave();
    await heading('Facts');
    expect(await back().count()).toBe(0);
    await page.goBack();
    await heading(`Job ${proposals.jobSeed}`);
    expect(await back().count()).toBe(0);
  }
});
