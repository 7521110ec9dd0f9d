import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { named } from '#test/support/named.js';
import { TestService } from '#test/support/service.js';
import { ConsoleBrowser, type ConsolePage } from './support/browser.js';
import { Proposals } from './support/proposals.js';

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
  await press('g', 'p');
  await heading('Consents');
  await opened.page.getByRole('link', { name: 'Back to the request' }).waitFor();
  expect(await opened.violations()).toStrictEqual([]);
  await press('u');
  await heading(proposals.keyOf('left'));
  expect(opened.page.url()).toContain('order=oldest');
  await press('u');
  await heading('Requests');
  await press('g', 's');
  await heading('What wants attention now');
  expect(await opened.page.getByRole('link', { name: 'Back to the request' }).count()).toBe(0);
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

const OPEN_STATES = `[...document.querySelectorAll('main details:not(:has(form))')].map(({ open }) => open)`;
