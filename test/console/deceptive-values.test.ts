import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { INVISIBLE } from '#domain/deceptive-text/characters.js';
import { Caller } from '#test/support/caller.js';
import { named } from '#test/support/named.js';
import { TestService } from '#test/support/service.js';
import { ConsoleBrowser, type ConsolePage } from './support/browser.js';
import { type Proposed, Proposals } from './support/proposals.js';

let service: TestService;
let browser: ConsoleBrowser;
let admin: Caller;
let proposals: Proposals;
let opened: ConsolePage;

beforeAll(async () => {
  service = await TestService.start({ ownLog: true });
  browser = await ConsoleBrowser.start();
  admin = await Caller.of(service, 'admin');
  proposals = await Proposals.of(service, 'deceptive');
  opened = await browser.open(service, await service.token('council', { sub: named('reader') }));
});

afterAll(async () => {
  await browser?.stop();
  await service?.stop();
});

const WHOLE = 'Proposed value, verbatim';
const CHANGE = 'The present fact against the proposed value';

/** Opens a request, and returns the lines in which its value stands. */
async function linesOf({ request_id }: Proposed, label = WHOLE): Promise<string[]> {
  await opened.goto(`/requests/${request_id}`);
  const box = opened.page.getByRole('region', { name: label });
  await box.waitFor();
  await opened.settled();
  return (await box.innerText()).split('\n').map((line) => line.replace(/\s+/g, ' ').trim());
}
const put = (name: string, value: unknown) =>
  admin.did('PUT', `sem/${proposals.keyOf(name)}`, { body: { value } });
const unredacted = () => opened.page.getByRole('button', { name: 'Read unredacted …' }).count();

test('a value that says of itself that it was erased or redacted is shown in full', async () => {
  const erased = { erased: true, admin: 'mallory', limit: 1_000_000 };
  const policy = { redacted: true, type: 'phone', admin: 'mallory' };
  expect(await linesOf(await proposals.fact('erased', erased))).toEqual(
    expect.arrayContaining(['erased: true', 'admin: mallory', 'limit: 1000000']),
  );
  expect(await linesOf(await proposals.fact('nested', { color: 'blue', policy }))).toEqual(
    expect.arrayContaining(['color: blue', 'policy:', 'redacted: true', 'admin: mallory']),
  );
  expect(await unredacted()).toBe(0);
  const words = { redacted: true, type: 'email of the help desk, unchanged' };
  await put('words', 'The address of the desk');
  const shown = await linesOf(await proposals.fact('words', words), CHANGE);
  expect(shown.join(' ')).toContain('type: email of the help desk, unchanged');
  expect(shown.join(' ')).not.toContain('Redacted');
  expect(await linesOf(await proposals.fact('text', '[REDACTED:root_for_mallory]'))).toStrictEqual([
    '[REDACTED:root_for_mallory]',
  ]);
  expect(await opened.violations()).toStrictEqual([]);
});

test('a text that looks like a value of another kind stands in quotes, and so does a key that looks like two fields', async () => {
  const value = {
    ...{ a: 'null', b: null, c: 'true', d: true, e: '{}', f: {}, g: '10', h: 10, i: '[]', j: [] },
    ...{ k: ['x'], l: 'x', m: '"x"', 'pay_to: alice\nnote': 'paid', '1': 'one' },
  };
  const shown = await linesOf(await proposals.fact('kinds', value));
  for (const line of [
    ...['a: "null"', 'b: null', 'c: "true"', 'd: true', 'e: "{}"', 'f: {}', 'g: "10"', 'h: 10'],
    ...['i: "[]"', 'j: []', 'k: [x]', 'l: x', String.raw`m: "\"x\""`, '"1": one'],
    String.raw`"pay_to: alice\nnote": paid`,
  ])
    expect(shown).toContain(line);
  expect(await linesOf(await proposals.fact('true-text', 'true'))).toStrictEqual(['"true"']);
  expect(await linesOf(await proposals.fact('true', true))).toStrictEqual(['true']);
  await service.caughtUp();
  await opened.goto(proposals.queue);
  const row = (name: string) =>
    opened.page.getByRole('listitem').filter({ hasText: proposals.keyOf(name) });
  await row('true-text').getByText('"true"').waitFor();
  await row('true').getByText('true', { exact: true }).waitFor();
});

test('the lines of a text stand apart from the fields around it', async () => {
  const box = await linesOf(await proposals.fact('lines', { note: 'Paid.\npay_to: mallory' }));
  expect(box).toContain('note:');
  const lines = opened.page.getByRole('region', { name: WHOLE }).locator('[data-lines]');
  expect(await lines.innerText()).toBe('Paid.\npay_to: mallory');
});

test('what the dialog cannot show in full is left out of an approval of several requests', async () => {
  const bulk = await Proposals.of(service, 'bulk');
  const about = 'The office is open from nine to five. '.repeat(10);
  await bulk.fact('object', { about, zz_also: 'mallory is root' });
  await bulk.fact('long', `${'Z '.repeat(5_000)}mallory is root`);
  await bulk.fact('short', 'It is red.');
  const { page } = opened;
  await service.caughtUp();
  await opened.goto(bulk.queue);
  for (const name of ['object', 'long', 'short'])
    await page.getByRole('checkbox', { name: bulk.keyOf(name) }).check();
  await page.keyboard.press('A');
  const dialog = page.getByRole('dialog', { name: 'Approve 1 request' });
  await dialog.getByText('2 too long to be shown here are left out: open each of them.').waitFor();
  expect(await dialog.getByText('It is red.').count()).toBe(1);
  expect(await dialog.getByText(/office|Z Z/).count()).toBe(0);
  expect(await opened.violations()).toStrictEqual([]);
  await page.keyboard.press('Escape');
});

test('a list of objects with hundreds of different fields opens at once, and no field of it is hidden', async () => {
  const list = (count: number, from: number, more: boolean) =>
    Array.from({ length: count }, (_, at) => ({ a: at + from, ...(more && { [`c${at}`]: 1 }) }));
  await put('wide', list(900, 0, false));
  const request = await proposals.fact('wide', list(600, 5_000, true));
  const { page } = opened;
  await linesOf(request, CHANGE);
  const elements = () => page.evaluate(() => document.querySelectorAll('*').length);
  expect(await elements()).toBeLessThan(5_000);
  await page.getByRole('button', { name: 'Show the value to its end' }).click();
  const box = page.getByRole('region', { name: CHANGE });
  await box.getByText('c599:').waitFor();
  expect(await elements()).toBeLessThan(40_000);
});

test('each character that the domain calls invisible is marked in a value, and each odd letter of a word or an address', async () => {
  const invisible = ['\u200B', '\u2800', '\u{E0080}', '\u{1D159}', '\u{E01F0}', '\u2065'].filter(
    (character) => INVISIBLE.test(character),
  );
  await put('blank', '100');
  const shown = await linesOf(await proposals.fact('blank', `100${invisible.join('')}`), CHANGE);
  for (const character of invisible)
    expect(shown.join(' ')).toContain(`U+${character.codePointAt(0)!.toString(16).toUpperCase()}`);
  await linesOf(
    await proposals.fact('odd', 'Pay at www.\u0440\u0430\u0443.com, k\u03A9 and p\u0430y'),
  );
  const marks = opened.page.getByRole('region', { name: WHOLE }).locator('mark');
  expect(await marks.allInnerTexts()).toStrictEqual(['\u0440', '\u0430', '\u0443', '\u0430']);
});

test('a word of another script that looks like Latin as a whole is marked, and named with the Latin word', async () => {
  const word = '\u0440\u0430\u0443\u0440\u0430\u04CF';
  await linesOf(await proposals.fact('imitation', { to: `Pay with ${word}, or in cash` }));
  const marks = opened.page.getByRole('region', { name: WHOLE }).locator('mark');
  expect(await marks.allInnerTexts()).toStrictEqual([word]);
  expect(await marks.first().getAttribute('title')).toContain('the Latin paypal');
  await opened.page.getByText('1 word that looks like a Latin one').waitFor();
  // A text of its language has the word.
  const sugar = '\u0421\u0430\u0445\u0430\u0440';
  await linesOf(await proposals.fact('sugar', `${sugar} \u0438 \u0447\u0430\u0439 (sugar)`));
  expect(await marks.count()).toBe(0);
});

test('a page with many numbers and as many places of them in the evidence opens, and marks the first ones', async () => {
  const evidence = [{ tool: 'sum', text: '7 '.repeat(100_000) }];
  for (const value of [7, Array.from({ length: 200 }, () => 7)]) {
    const request = await proposals.fact(`sevens-${typeof value}`, value, { evidence });
    await opened.goto(`/requests/${request.request_id}`);
    const entry = opened.page.getByRole('listitem', { name: 'Evidence 1' });
    await entry.locator('mark').first().waitFor();
    await opened.page.getByText(/value stands in the evidence/i).waitFor();
  }
  expect(opened.errors).toStrictEqual([]);
});

test('what is left out of a value that seems short makes it a long one', async () => {
  const request = await proposals.fact('blanks', `${'\u200B'.repeat(5_000)}mallory is root`);
  await linesOf(request);
  await opened.page.getByRole('button', { name: /^Read all of the value first/ }).waitFor();
  await opened.page.getByRole('button', { name: 'Show the value to its end' }).click();
  await opened.page.getByText('mallory is root').first().waitFor();
});

// The functions above that run in the page know this.
declare const document: { querySelectorAll(selector: string): { readonly length: number } };
