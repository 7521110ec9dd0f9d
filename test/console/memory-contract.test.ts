import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Caller } from '#test/support/caller.js';
import { named } from '#test/support/named.js';
import { TestService } from '#test/support/service.js';
import { ConsoleBrowser, type ConsolePage } from './support/browser.js';

const SESSION = named('talk');
const SECRET = named('secret');
const LONG = named('long');
const STORE = `/spaces/session/${SESSION}`;
const TURN = {
  assistant: 'helper',
  session_id: SESSION,
  memory: { short_term: 6, semantic: true, profile: true },
};

let service: TestService;
let browser: ConsoleBrowser;
let auditor: ConsolePage;
const agentSub = named('agent');

beforeAll(async () => {
  service = await TestService.shared();
  browser = await ConsoleBrowser.start();
  const agent = await Caller.of(service, 'agent', { sub: agentSub });
  const say = (user_text: string, more: object = {}) =>
    agent.post('memory/interactions', { ...TURN, user_text, ai_text: 'Noted.', ...more });
  await say('My editor is vi.', { phase: { token: 'one', name: 'first talk' } });
  await say('Actually, my editor is emacs.', { phase: { token: 'two', name: 'second talk' } });
  const secret = { session_id: SECRET };
  await say('My password is swordfish.', secret);
  await say('Thanks!', secret);
  await agent.post('memory/recall', { ...TURN, ...secret, query: 'anything' });
  for (let number = 0; number < 60; number += 1)
    await say(`Number ${number}.`, { session_id: LONG });
  auditor = await browser.open(service, await service.token('auditor'));
});

afterAll(async () => {
  await browser?.stop();
  await service?.stop();
});

test('the spaces that a person may read are listed, found by owner, and lead to one space', async () => {
  const { page } = auditor;
  await auditor.goto('/spaces');
  await page.getByLabel('Owner begins with').fill(SESSION);
  await page.getByRole('button', { name: 'Show', exact: true }).click();
  expect(await auditor.violations()).toStrictEqual([]);
  await page.getByRole('link', { name: `session ${SESSION}` }).click();
  await page.getByRole('heading', { name: /^Space session of / }).waitFor();
  const other = await browser.open(service, await service.token('agent', { sub: named('other') }));
  await other.goto(`/spaces?space=session&owner=${SESSION}`);
  await other.page.getByText('No space that you may read has such an owner').waitFor();
  expect(await other.violations()).toStrictEqual([]);
  await other.goto(STORE);
  await other.page.getByText('Trace id').waitFor();
  expect(await other.violations()).toStrictEqual([]);
  await other.close();
});

test('a session reads as a conversation: what was kept beside each turn, what was not, and why, with the JSON behind', async () => {
  const { page } = auditor;
  await auditor.goto(STORE);
  await page.getByRole('heading', { name: 'Conversation', exact: true }).waitFor();
  const turns = page.getByRole('listitem').filter({ has: page.getByRole('heading', { level: 3 }) });
  const [first, last] = [turns.first(), turns.last()];
  await first.getByText('My editor is vi.').waitFor();
  const kept = first.getByText('Kept as profile fact editor = vi until it is replaced.');
  await kept.click();
  await first.getByRole('region', { name: /^JSON: Kept as profile fact/ }).waitFor();
  await first
    .getByText('Not kept as knowledge: it was too short to be a fact')
    .waitFor({ state: 'detached' });
  await first.getByText('Replaced later by another item.').first().click();
  expect(await auditor.violations()).toStrictEqual([]);
  await last
    .getByText(/^Took the place of an earlier item: a correction/)
    .first()
    .waitFor();
  const time = await first.locator('time').first().getAttribute('datetime');
  expect(Math.abs(Date.parse(time!) - Date.now())).toBeLessThan(3_600_000);
  const secret = `/spaces/session/${SECRET}`;
  await auditor.goto(secret);
  await page.getByText(/^The text is not in the log: it has a word for something secret/).waitFor();
  await page.getByText(/^Not kept as a turn: it has a word for something secret/).waitFor();
  await page.getByText('Not kept as knowledge: it was too short').waitFor();
  await page.getByText(/^Recalled \d+ items? for “anything”\.$/).waitFor();
  expect(await auditor.violations()).toStrictEqual([]);
});

test('a long session opens at its end, and the address keeps the page of its turns', async () => {
  const { page } = auditor;
  await auditor.goto(`/spaces/session/${LONG}`);
  await page.getByText('Number 59.').waitFor();
  expect(await page.getByText('Number 0.').count()).toBe(0);
  expect(await page.getByRole('button', { name: 'Later turns' }).isDisabled()).toBe(true);
  await page.getByRole('button', { name: 'Earlier turns' }).click();
  await page.getByText('Number 30.').waitFor();
  expect(new URL(page.url()).searchParams.get('before')).toMatch(/^\d+$/);
  await page.reload();
  await page.getByText('Number 30.').waitFor();
  await page.getByRole('button', { name: 'First turns' }).click();
  await page.getByText('Number 0.').waitFor();
  expect(await page.getByRole('button', { name: 'Earlier turns' }).isDisabled()).toBe(true);
  const turn = page.getByRole('listitem').filter({ hasText: 'Number 1.' }).first();
  await turn
    .getByText('Left the last turns later: the summary of its phase covers it.')
    .first()
    .click();
  await turn
    .getByRole('button', { name: /^Go to event/ })
    .first()
    .click();
  await page.getByText('Number 4.').waitFor();
  await page.getByRole('button', { name: 'Last turns' }).click();
  await page.getByText('Number 59.').waitFor();
});

test('items are shown now and at a tick, by kind and phase, and the address keeps it', async () => {
  const { page } = auditor;
  await auditor.goto(`${STORE}?view=items`);
  await page.getByRole('heading', { name: /^Items now, at tick \d+$/ }).waitFor();
  await page.getByLabel('Kind').selectOption('profile');
  await page.getByText(/^1 of \d+ items/).waitFor();
  expect(await page.getByRole('main').innerText()).toContain('emacs');
  await page.getByRole('textbox', { name: 'At tick' }).fill('6');
  await page.getByRole('button', { name: 'Read' }).click();
  await page.getByRole('heading', { name: 'Items at tick 6' }).waitFor();
  expect(new URL(page.url()).search).toBe('?view=items&kind=profile&tick=6');
  expect(await page.getByRole('main').innerText()).toContain('vi');
  await page.getByLabel('Kind').selectOption('');
  await page.getByLabel('Phase').selectOption('phase-1');
  expect(await auditor.violations()).toStrictEqual([]);
  await page.getByRole('button', { name: 'Show the items now' }).click();
  await page.getByRole('heading', { name: /^Items now/ }).waitFor();
});

test('the difference of two phases shows which item replaced which, with both texts', async () => {
  const { page } = auditor;
  await auditor.goto(`${STORE}?view=phases`);
  await page.getByRole('rowheader', { name: 'phase-2' }).waitFor();
  expect(await page.getByRole('region', { name: 'Table of phases' }).innerText()).toContain(
    'second talk',
  );
  const replaced = page.getByRole('listitem').filter({ hasText: 'replaced' });
  await replaced.getByText('Before').first().waitFor();
  const text = (await replaced.allInnerTexts()).join(' ');
  expect(text).toContain('vi');
  expect(text).toContain('emacs');
  expect(await page.locator('nav [aria-current=page]').allInnerTexts()).toStrictEqual([
    ...['Spaces', 'Phases and differences'],
  ]);
  expect(await auditor.violations()).toStrictEqual([]);
  await page.getByLabel('To', { exact: true }).selectOption('phase-1');
  await page.getByText('Nothing changed from phase-1 to phase-1').waitFor();
});

test('decisions are shown as JSON and in Plain', async () => {
  const { page } = auditor;
  await auditor.goto(`${STORE}?view=decisions`);
  await page
    .getByRole('heading', { name: /memory_write$/ })
    .first()
    .waitFor();
  await page.getByLabel('Shown as').selectOption('plain');
  await page.getByText('type: memory_write').first().waitFor();
  expect(new URL(page.url()).search).toBe('?view=decisions&format=plain');
  expect(await auditor.violations()).toStrictEqual([]);
});

test('a space that does not exist says so', async () => {
  await auditor.goto('/spaces/nowhere/x');
  await auditor.page.getByText('There is no such space').waitFor();
  expect(await auditor.violations()).toStrictEqual([]);
  expect(auditor.errors).toStrictEqual([]);
});
