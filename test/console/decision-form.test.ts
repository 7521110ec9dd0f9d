import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Caller } from '#test/support/caller.js';
import { named } from '#test/support/named.js';
import { TestService } from '#test/support/service.js';
import { ConsoleBrowser, type ConsolePage } from './support/browser.js';
import { Proposals } from './support/proposals.js';
import { sendNow, tray } from './support/votes.js';

let service: TestService;
let browser: ConsoleBrowser;
let proposals: Proposals;

beforeAll(async () => {
  service = await TestService.start({ ownLog: true });
  browser = await ConsoleBrowser.start();
  proposals = await Proposals.of(service, 'forms');
});

afterAll(async () => {
  await browser?.stop();
  await service?.stop();
});

const open = async (path: string, name = 'member'): Promise<ConsolePage> => {
  const sub = named(name);
  const opened = await browser.open(service, await service.token('council', { sub }), path);
  await opened.page.getByRole('button', { name: /^Reject/ }).waitFor();
  return opened;
};
const openFact = async (name: string): Promise<ConsolePage> =>
  open(`/requests/${(await proposals.fact(name)).request_id}`);
const words = ({ page }: ConsolePage) => page.getByRole('textbox', { name: 'In your words' });

/** Every letter that is a key of the page is in these. */
const SENTENCE = 'Jack quizzed Rex: he axed u, z, e, q. Or?';

test('a key that is held down decides one request, not those that follow it', async () => {
  for (const name of ['held-2', 'held-3']) await proposals.fact(name);
  const opened = await openFact('held-1');
  const { page } = opened;
  await opened.settled();
  await page.keyboard.down('a');
  const next = page.getByRole('heading', { level: 1 });
  await next.filter({ hasNotText: proposals.keyOf('held-1') }).waitFor();
  await page.getByRole('button', { name: /^Approve/ }).waitFor();
  await opened.settled();
  for (let count = 0; count < 12; count += 1) await page.keyboard.down('a');
  await page.keyboard.up('a');
  expect(await tray(opened).getByRole('button', { name: /^Undo/ }).count()).toBe(1);
  await sendNow(opened);
  await opened.close();
});

/** Presses `a` as soon as the page has the button that approves. */
const PRESSES_AT_ONCE = `new MutationObserver((_, observer) => {
  if (document.querySelector('[data-approves]') === null) return;
  observer.disconnect();
  document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'a', bubbles: true }));
}).observe(document, { childList: true, subtree: true })`;

test('a long value is not approved by a key that comes before it is laid out', async () => {
  const { request_id } = await proposals.fact('early', 'It is so. '.repeat(700));
  const opened = await browser.open(
    service,
    await service.token('council', { sub: named('early') }),
  );
  const { page } = opened;
  await page.addInitScript({ content: PRESSES_AT_ONCE });
  await opened.goto(`/requests/${request_id}`);
  await opened.settled();
  await page
    .getByRole('button', { name: /^Read the value first|^Approve|to its end/ })
    .first()
    .waitFor();
  expect(await tray(opened).count()).toBe(0);
  expect(page.url()).toContain(request_id);
  await opened.close();
});

test('while a form is open, no letter acts on the page, wherever the focus is', async () => {
  const opened = await openFact('letters');
  const { page } = opened;
  for (const key of ['A', 'X', 'r']) {
    await page.keyboard.press(key);
    await words(opened).fill('');
    for (const focused of [/^Reject/, /^Close/, /^Keys/]) {
      await page.getByRole('button', { name: focused }).first().focus();
      await page.keyboard.type(SENTENCE);
      expect(await words(opened).inputValue()).toBe(SENTENCE);
      await words(opened).fill('');
    }
    await page.evaluate('document.activeElement.blur()');
    await page.keyboard.type(SENTENCE);
    expect(await words(opened).inputValue()).toBe(SENTENCE);
    await page.keyboard.press('Escape');
    await words(opened).waitFor({ state: 'detached' });
  }
  await page.keyboard.press('r');
  expect(await words(opened).inputValue()).toBe(SENTENCE);
  expect(await tray(opened).count()).toBe(0);
  await opened.close();
});

test('after r, a digit chooses the reason and leads to the words, and so does any other character', async () => {
  const opened = await openFact('digits');
  const { page } = opened;
  const codes = page.getByRole('group', { name: 'Reason' }).getByRole('radio');
  for (let digit = 1; digit <= 9; digit += 1) {
    await page.keyboard.press('r');
    await page.getByRole('radio').first().waitFor();
    await page.keyboard.type(`${digit}The 2 words of ${digit}.`);
    expect(await codes.nth(digit - 1).isChecked()).toBe(true);
    expect(await words(opened).inputValue()).toBe(`The 2 words of ${digit}.`);
    await words(opened).fill('');
    await page.keyboard.press('Escape');
  }
  expect(await codes.count()).toBe(0);
  await page.keyboard.press('r');
  await page.keyboard.type('Out of season.');
  expect(await words(opened).inputValue()).toBe('Out of season.');
  expect(await opened.violations()).toStrictEqual([]);
  await page.getByRole('radio', { name: 'Out of date' }).focus();
  await page.keyboard.press('3');
  await page.keyboard.press('Control+Enter');
  await sendNow(opened);
  await page.getByRole('link', { name: 'See it again' }).click();
  await page.getByText('Out of date: Out of season.').waitFor();
  expect(opened.errors).toStrictEqual([]);
  await opened.close();
});

test('the new reasons are recorded in full when the reviewer adds no words', async () => {
  for (const [digit, sentence] of [
    ['4', 'The evidence is about something else, or about less than the value claims.'],
    ['8', 'The evidence or the value gives orders, or is disguised.'],
  ] as const) {
    const opened = await openFact(`new${digit}`);
    const { page } = opened;
    for (const key of ['r', digit, 'Control+Enter']) await page.keyboard.press(key);
    await sendNow(opened);
    await page.getByRole('link', { name: 'See it again' }).click();
    await page.getByText(sentence).waitFor();
    await opened.close();
  }
});

interface Requested {
  readonly request_id: string;
}

const erasureOf = async (name: string): Promise<Requested> => {
  const user = named(name).toLowerCase();
  const owner = await Caller.of(service, 'user', { sub: user, user_id: user });
  return owner.post<Requested>('action-requests', {
    ...{ kind: 'erasure', subject: `user:${user}`, reason_code: 'legal_erasure' },
    justification: 'I want to be forgotten.',
  });
};

test('one Tab leads from the reason to the word that confirms, and the form says what is missing', async () => {
  const { request_id } = await erasureOf('forgotten');
  const opened = await open(`/requests/${request_id}`);
  const { page } = opened;
  await page.keyboard.press('a');
  await page.getByText('The admin who executes the erasure sees your reason first.').waitFor();
  await page.keyboard.press('Control+Enter');
  await page.getByText('Say why.').waitFor();
  await page.keyboard.type('Only after the refund.');
  await page.getByRole('button', { name: 'Keep these words' }).waitFor();
  await page.keyboard.press('Tab');
  const confirmation = page.getByRole('textbox', { name: 'Type “erase” to confirm' });
  await page.keyboard.type('eras');
  expect(await confirmation.inputValue()).toBe('eras');
  await page.keyboard.press('Control+Enter');
  await page.getByText('Type erase here, then press Ctrl Enter.').waitFor();
  expect(await opened.violations()).toStrictEqual([]);
  await page.keyboard.type('e');
  await page.keyboard.press('Control+Enter');
  await page
    .getByText(/^Approved Erasure/)
    .first()
    .waitFor();
  expect(opened.errors).toStrictEqual([]);
  await opened.close();

  const admin = await browser.open(service, await service.token('admin'), '/privacy/erasures');
  await admin.page.getByRole('button', { name: /^Execute the erasure/ }).click();
  await admin.page.getByRole('dialog').getByText('Only after the refund.').waitFor();
  expect(await admin.violations()).toStrictEqual([]);
  await admin.close();
});

test('the reasons to pick from fit what is requested, and the arrows go through them', async () => {
  const { request_id } = await erasureOf('picked');
  const opened = await open(`/requests/${request_id}`);
  const { page } = opened;
  await page.keyboard.press('a');
  await page.keyboard.press('Alt+ArrowDown');
  const reasons = page.getByRole('list', { name: 'Reasons to pick from' });
  expect(await reasons.getByRole('button').allInnerTexts()).toStrictEqual([
    'The person asks for the erasure of their own data.',
    'The law asks for it, and nothing speaks against it.',
    'The data is no longer needed.',
  ]);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  expect(await words(opened).inputValue()).toBe(
    'The law asks for it, and nothing speaks against it.',
  );
  await page.keyboard.press('Escape');
  for (const key of ['r', '4']) await page.keyboard.press(key);
  await words(opened).fill('');
  await page.keyboard.press('Tab');
  await page.keyboard.type('reject');
  await page.keyboard.press('Control+Enter');
  await page
    .getByText(/^Rejected Erasure/)
    .first()
    .waitFor();
  await opened.goto(`/requests/${request_id}`);
  await page.getByText('This would erase the data of somebody else, or too much.').waitFor();
  await opened.close();
});

test('an approval over a question without an answer takes a second key', async () => {
  const asked = await proposals.fact('asked');
  const colleague = await Caller.of(service, 'council');
  await colleague.post(`action-requests/${asked.request_id}/questions`, {
    question: 'Office or telephone?',
  });
  const opened = await open(`/requests/${asked.request_id}`);
  const { page } = opened;
  await page.getByText(/^(Low|Medium) risk$/).waitFor();
  await page.keyboard.press('a');
  await page
    .getByText('A question to the proposer is not answered yet: Office or telephone? Press a again')
    .filter({ visible: true })
    .first()
    .waitFor();
  expect(await tray(opened).count()).toBe(0);
  expect(await opened.violations()).toStrictEqual([]);
  await page.keyboard.press('a');
  await tray(opened).getByText('Approved').waitFor();
  await page.keyboard.press('z');
  await tray(opened).waitFor({ state: 'detached' });

  await opened.goto(proposals.queue);
  await page.getByRole('checkbox', { name: proposals.keyOf('asked') }).check();
  await page.keyboard.press('A');
  const dialog = page.getByRole('dialog');
  await dialog.getByText('A question to the proposer is not answered yet').waitFor();
  expect(await opened.violations()).toStrictEqual([]);
  await dialog.getByRole('button', { name: 'Leave it out' }).click();
  await dialog.getByRole('heading', { name: 'Approve 0 requests' }).waitFor();
  await opened.close();
});

test('the keys of another form beside an open one send only that form', async () => {
  const opened = await openFact('beside');
  const { page } = opened;
  await page.keyboard.press('A');
  await words(opened).fill('Not to be sent yet.');
  const comment = page.getByRole('textbox', { name: 'Comment' });
  await comment.fill('I know the source.');
  await comment.press('Control+Enter');
  await page.getByRole('list', { name: 'Comments' }).getByText('I know the source.').waitFor();
  await page.getByText('Assign it to another').click();
  const reviewer = page.getByRole('textbox', { name: 'Reviewer' });
  await reviewer.pressSequentially('xa');
  await reviewer.press('Control+Enter');
  await reviewer.press('Escape');
  expect(await words(opened).inputValue()).toBe('Not to be sent yet.');
  expect(await tray(opened).count()).toBe(0);
  await opened.close();
});
