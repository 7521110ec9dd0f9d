import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { setTimeout as delay } from 'node:timers/promises';
import { Caller } from '#test/support/caller.js';
import { named } from '#test/support/named.js';
import { TestService } from '#test/support/service.js';
import { ConsoleBrowser, type ConsolePage } from './support/browser.js';
import { Proposals } from './support/proposals.js';

const KEY = `world/fact/${named('tower')}/height`;
const GOAL = named('measure');
const TALK = named('talk');

let service: TestService;
let browser: ConsoleBrowser;
let opened: ConsolePage;
let proposals: Proposals;
let request: string;
/** A whole second at which the fact has its first value, the job runs and the request waits. */
let then: string;

/** Returns the whole second that begins next, after it has begun. */
async function nextSecond(): Promise<string> {
  const time = Math.ceil(Date.now() / 1_000) * 1_000;
  await delay(time - Date.now() + 5);
  return new Date(time).toISOString();
}

beforeAll(async () => {
  service = await TestService.start({ ownLog: true });
  browser = await ConsoleBrowser.start();
  const admin = await Caller.of(service, 'admin', { sub: named('admin') });
  const judge = await Caller.of(service, 'council', { sub: named('judge') });
  const put = (value: string) => admin.did('PUT', `sem/${KEY}`, { body: { value } });
  const say = (user_text: string, token: string, session_id = TALK) =>
    proposals.agent.post('memory/interactions', {
      ...{ assistant: 'helper', session_id, user_text, ai_text: 'Noted.', phase: { token } },
      memory: { short_term: 6, semantic: true, profile: true },
    });
  proposals = await Proposals.of(service, 'then');
  await proposals.agent.post('jobs', { job_seed: GOAL, goal: GOAL });
  const { request_id, proposal_hash } = await proposals.fact('asked');
  request = request_id;
  await put('lighthouse of 10 m');
  await say('My editor is vi.', 'one');
  then = await nextSecond();
  await put('lighthouse of 20 m');
  await say('Actually, my editor is emacs.', 'two');
  await say('It is later.', 'one', named('later'));
  await proposals.agent.post(`jobs/${GOAL}/ticks`, { count: 2 });
  await proposals.agent.post(`jobs/${GOAL}/end`, {});
  await judge.post(`action-requests/${request}/votes`, {
    ...{ vote: 'reject', reason: 'Nobody measured it.', proposal_hash },
  });
  await service.caughtUp();
  opened = await browser.open(
    service,
    await service.token(['council', 'agent'], { sub: 'reader' }),
  );
});

afterAll(async () => {
  await browser?.stop();
  await service?.stop();
});

const menu = () => opened.page.getByRole('group', { name: 'Choose a moment' });
const strip = () => opened.page.getByRole('status').filter({ hasText: 'Memory as of' });
const moment = (): string | null => new URL(opened.page.url()).searchParams.get('moment');
const heading = (name: string | RegExp) =>
  opened.page.getByRole('heading', { level: 1, name }).waitFor();
const press = async (...keys: readonly string[]): Promise<void> => {
  for (const key of keys) await opened.page.keyboard.press(key);
};
const openPast = async (path: string): Promise<void> => {
  await opened.goto(`${path}${path.includes('?') ? '&' : '?'}moment=${then}`);
  await strip()
    .getByText(/position \d+/)
    .waitFor();
};

test('a moment is chosen by keyboard, the address keeps it on every page and after a reload, and one button leads back to now', async () => {
  const { page } = opened;
  await opened.goto(`/facts/${KEY}`);
  const value = page.getByRole('figure', { name: 'Value', exact: true });
  await value.getByText('20 m').waitFor();
  await press('t');
  await menu().waitFor();
  expect(await page.evaluate('document.activeElement.textContent')).toBe('Now');
  expect(await opened.violations()).toStrictEqual([]);
  await press('Escape');
  await menu().waitFor({ state: 'detached' });
  expect(await opened.page.evaluate('document.activeElement.textContent')).toBe('Moment: Now ▾');
  await press('Enter');
  await menu().getByLabel('Date').fill(then.slice(0, 10));
  await menu().getByLabel('Time (UTC)').fill(then.slice(11, 19));
  await press('Enter');
  await value.getByText('10 m').waitFor();
  await menu().waitFor({ state: 'detached' });
  await strip()
    .getByText(`${then.slice(11, 19)} UTC`)
    .waitFor();
  await page.getByRole('heading', { name: 'Value then' }).waitFor();
  expect(await page.getByText('20 m').count()).toBe(0);
  expect(await opened.violations()).toStrictEqual([]);
  await press('g', 'f');
  await heading('Facts');
  await page.getByText('lighthouse of 10 m').waitFor();
  await page.reload();
  await page.getByText('lighthouse of 10 m').waitFor();
  expect(moment()).toBe(then);
  await strip().getByRole('button', { name: 'Back to now' }).click();
  await page.getByText('lighthouse of 20 m').waitFor();
  expect(moment()).toBeNull();
  await strip().waitFor({ state: 'detached' });
  expect(opened.errors).toStrictEqual([]);
});

test('a position is chosen as it stands in an answer, and the strip says its time; one without an event is refused in the menu', async () => {
  const { page } = opened;
  await openPast(`/facts/${KEY}`);
  const position = /position (\d+)/.exec((await strip().textContent()) ?? '')?.[1] ?? '';
  await strip().getByRole('button', { name: 'Back to now' }).click();
  const value = page.getByRole('figure', { name: 'Value', exact: true });
  await value.getByText('20 m').waitFor();
  await press('t');
  await menu().getByLabel('Or position of an event').fill('999999999999999999');
  await press('Enter');
  await menu().getByRole('alert').getByText('no event stands at this position').waitFor();
  await menu().getByLabel('Or position of an event').fill(position);
  await press('Enter');
  await value.getByText('10 m').waitFor();
  expect(moment()).toBe(position);
  await strip()
    .getByText(new RegExp(`\\d\\d:\\d\\d:\\d\\d\\S* UTC, position ${position}`))
    .waitFor();
  await press('t');
  expect(await opened.violations()).toStrictEqual([]);
  await press('Escape');
  await strip().getByRole('button', { name: 'Back to now' }).click();
});

test('a time is chosen to the millisecond, and the address, the strip and the menu keep it', async () => {
  const { page } = opened;
  const exact = then.replace('.000Z', '.007Z');
  await opened.goto('/facts');
  await press('t');
  await menu().getByLabel('Date').fill(exact.slice(0, 10));
  await menu().getByLabel('Time (UTC)').fill(exact.slice(11, -1));
  await press('Enter');
  await strip()
    .getByText(`${exact.slice(11, -1)} UTC`)
    .waitFor();
  expect(moment()).toBe(exact);
  await page.getByText('lighthouse of').waitFor();
  await press('t');
  expect(await menu().getByLabel('Time (UTC)').inputValue()).toBe(exact.slice(11, -1));
  await press('Escape');
  await strip().getByRole('button', { name: 'Back to now' }).click();
});

test.each([
  ['with milliseconds', (time: string) => time.replace('.000Z', '.007Z'), '.007'],
  ['without them and with spaces around', (time: string) => ` ${time.slice(0, 19)}Z `, ''],
  ['without a zone', (time: string) => time.slice(0, -1), ''],
  ['as a page shows it', (time: string) => `${time.slice(0, 19).replace('T', ' ')} UTC`, ''],
] as const)('the menu takes a pasted time of an event %s', async (_, textOf, fraction) => {
  const { page } = opened;
  await opened.goto('/facts');
  for (const field of ['Date', 'Time (UTC)', 'Or position of an event']) {
    await press('t');
    await menu().getByLabel('Or position of an event').fill(textOf(then));
    await press('Control+a', 'Control+x');
    await menu().getByLabel(field).focus();
    await press('Control+v', 'Enter');
    await strip()
      .getByText(`${then.slice(11, 19)}${fraction} UTC`)
      .waitFor();
    expect(moment()).toBe(`${then.slice(0, 19)}${fraction === '' ? '.000' : fraction}Z`);
    await strip().getByRole('button', { name: 'Back to now' }).click();
    await strip().waitFor({ state: 'detached' });
  }
  await page.getByText('lighthouse of 20 m').waitFor();
});

test('a list of jobs, a job and a search show what had happened by then, without what acts on the present', async () => {
  const { page } = opened;
  await openPast('/jobs');
  const row = page.getByRole('row').filter({ hasText: GOAL });
  await row.getByText('running').waitFor();
  expect(await opened.violations()).toStrictEqual([]);
  await row.getByRole('link', { name: GOAL }).click();
  await heading(`Job ${GOAL}`);
  const events = page.getByRole('region', { name: 'Events' }).getByRole('listitem');
  await events.first().waitFor();
  const count = async () => Number(await events.first().getAttribute('aria-setsize'));
  const past = await count();
  expect(await page.getByRole('button', { name: 'Replay', exact: true }).count()).toBe(0);
  expect(await opened.violations()).toStrictEqual([]);
  await strip().getByRole('button', { name: 'Back to now' }).click();
  await page.getByRole('button', { name: 'Replay', exact: true }).waitFor();
  await events.first().waitFor();
  expect(await count()).toBeGreaterThan(past);
  await openPast('/search?q=lighthouse');
  await page.getByRole('listitem').filter({ hasText: '10 m' }).waitFor();
  expect(await page.getByRole('listitem').filter({ hasText: '20 m' }).count()).toBe(0);
});

test('the queue and a request show what waited then, and nobody can decide there', async () => {
  const { page } = opened;
  await openPast(proposals.queue);
  const row = page.getByRole('link', { name: proposals.keyOf('asked') });
  await row.waitFor();
  await page.getByText('the queue of a moment has no filters for them').waitFor();
  expect(await page.getByLabel('Order').count()).toBe(0);
  expect(await page.getByRole('checkbox').count()).toBe(0);
  expect(await opened.violations()).toStrictEqual([]);
  await press('Enter');
  await heading(proposals.keyOf('asked'));
  await page.getByText('Pending', { exact: true }).waitFor();
  expect(await page.getByRole('button', { name: /^(Approve|Reject|Take it)/ }).count()).toBe(0);
  expect(await opened.violations()).toStrictEqual([]);
  await press('u');
  await heading('Requests');
  expect(moment()).toBe(then);
  await opened.goto(`/requests/${request}`);
  await page.getByText('Rejected', { exact: true }).first().waitFor();
});

test('the spaces, and the conversation, items, phases and decisions of a session, show what was there then', async () => {
  const { page } = opened;
  await openPast('/spaces?space=session');
  await page.getByRole('link', { name: `session ${TALK}` }).waitFor();
  expect(await page.getByRole('link', { name: `session ${named('later')}` }).count()).toBe(0);
  await page.getByRole('link', { name: `session ${TALK}` }).click();
  await page.getByText('My editor is vi.', { exact: true }).waitFor();
  expect(await page.getByText(/emacs|Replaced later/).count()).toBe(0);
  expect(moment()).toBe(then);
  expect(await opened.violations()).toStrictEqual([]);
  const parts = page.getByRole('navigation', { name: 'Parts of the space' });
  await parts.getByRole('link', { name: 'Items' }).click();
  await page.getByRole('heading', { name: /^Items then, at tick \d+$/ }).waitFor();
  await page.getByText('vi', { exact: true }).waitFor();
  expect(await page.getByText('emacs').count()).toBe(0);
  expect(await page.getByRole('textbox', { name: 'At tick' }).count()).toBe(0);
  await parts.getByRole('link', { name: 'Phases and differences' }).click();
  await page.getByRole('rowheader', { name: 'phase-1' }).waitFor();
  expect(await page.getByRole('rowheader', { name: 'phase-2' }).count()).toBe(0);
  await parts.getByRole('link', { name: 'Decisions' }).click();
  await page.getByRole('heading', { name: /memory_write$/ }).waitFor();
  expect(await page.getByRole('heading', { name: /memory_conflict$/ }).count()).toBe(0);
  await strip().getByRole('button', { name: 'Back to now' }).click();
  await page
    .getByRole('heading', { name: /memory_conflict$/ })
    .first()
    .waitFor();
});

test('a page without a past says that it shows the present', async () => {
  await openPast('/integrity');
  await strip().getByText('this page shows the present').waitFor();
  await openPast('/facts');
  expect(await strip().getByText('this page shows the present').count()).toBe(0);
});

test('a time in the future, and one before the log began, are refused in the words of the service', async () => {
  const { page } = opened;
  await opened.goto('/facts');
  await page.getByRole('button', { name: 'Moment: Now' }).click();
  for (const [date, words] of [
    ['2999-01-01', 'is in the future'],
    ['1999-01-01', 'is before the first event of the log'],
  ] as const) {
    await menu().getByLabel('Date').fill(date);
    await menu().getByRole('button', { name: 'Show', exact: true }).click();
    await menu().getByRole('alert').getByText(words).waitFor();
  }
  expect(await opened.violations()).toStrictEqual([]);
  expect(moment()).toBeNull();
  await press('Escape');
  await menu().waitFor({ state: 'detached' });
});

test('at 390 pixels the menu and the strip fit the window, in dark colours as well', async () => {
  const { page } = opened;
  await page.setViewportSize({ width: 390, height: 800 });
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
  for (const path of ['/facts', `/facts/${KEY}`, '/jobs', '/requests', `/requests/${request}`]) {
    await openPast(path);
    await opened.settled();
    await press('t');
    await menu().waitFor();
    expect(await opened.overflow()).toBe(0);
    const box = (await menu().boundingBox())!;
    expect(box.x).toBeGreaterThanOrEqual(0);
    expect(box.x + box.width).toBeLessThanOrEqual(390);
    expect(await opened.violations()).toStrictEqual([]);
  }
});
