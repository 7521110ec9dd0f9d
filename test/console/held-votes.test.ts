import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Caller } from '#test/support/caller.js';
import { named } from '#test/support/named.js';
import { TestService } from '#test/support/service.js';
import { ConsoleBrowser, type ConsolePage } from './support/browser.js';
import { Proposals } from './support/proposals.js';
import { LoggedVotes, passHold, sendNow, tray } from './support/votes.js';

let service: TestService;
let browser: ConsoleBrowser;
let admin: Caller;
let logged: LoggedVotes;

beforeAll(async () => {
  service = await TestService.start({
    ownLog: true,
    environment: { MACE_COUNCIL_QUORUM: '2' },
  });
  browser = await ConsoleBrowser.start();
  admin = await Caller.of(service, 'admin');
  logged = new LoggedVotes(service);
});

afterAll(async () => {
  await browser?.stop();
  await service?.stop();
});

const member = (name: string): Promise<string> => service.token('council', { sub: named(name) });
/** Opens the console with a clock that `passHold` sets forward. */
async function open(token: string, path: string): Promise<ConsolePage> {
  const opened = await browser.open(service, token, path);
  await opened.page.clock.install();
  return opened;
}
const heading = (opened: ConsolePage, name: string) =>
  opened.page.getByRole('heading', { level: 1, name });
const rows = ({ page }: ConsolePage) => page.getByRole('listitem').filter({ hasText: 'world/' });
const row = (opened: ConsolePage, key: string) => rows(opened).filter({ hasText: key });

/** Opens the first request of a queue and abstains on it. */
async function abstained(opened: ConsolePage, key: string): Promise<void> {
  await row(opened, key).waitFor();
  await opened.page.keyboard.press('Enter');
  await heading(opened, key).waitFor();
  await opened.page.keyboard.press('x');
  await tray(opened).getByText('Abstained on').waitFor();
}

test('a vote is left out of the queue and its numbers while it is held, and z undoes it before it is sent', async () => {
  const proposals = await Proposals.of(service, 'undone');
  const [first, second] = await proposals.facts('u1', 'u2');
  const opened = await open(await member('un'), proposals.queue);
  const { page } = opened;
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.getByText('2 pending').waitFor();
  await abstained(opened, first!.target_sem_key);
  await heading(opened, second!.target_sem_key).waitFor();
  await page.getByText('1 of 1', { exact: true }).waitFor();
  await tray(opened)
    .getByText(/^Sent in \d s$/)
    .waitFor();
  expect(await page.evaluate(() => document.getAnimations().length)).toBe(0);
  await page.keyboard.press('u');
  await page.getByText('1 pending').waitFor();
  expect(await row(opened, first!.target_sem_key).count()).toBe(0);
  await page.keyboard.press('z');
  await row(opened, first!.target_sem_key).waitFor();
  await page.getByText('2 pending').waitFor();
  await tray(opened).waitFor({ state: 'detached' });
  await passHold(opened);
  expect(await logged.of(first!, second!)).toStrictEqual([0, 0]);
  expect(opened.errors).toStrictEqual([]);
  await opened.close();
});

test('a held vote is off the numbers of questions, also if one reviewer has an answer and another waits for one', async () => {
  const proposals = await Proposals.of(service, 'asked');
  const request = await proposals.fact('q1');
  const ask = async (name: string): Promise<void> => {
    const by = await Caller.of(service, 'council', { sub: named(name) });
    await by.post(`action-requests/${request.request_id}/questions`, { question: 'Since when?' });
  };
  await ask('ann');
  await proposals.agent.post(`action-requests/${request.request_id}/answers`, {
    answer: 'Since May.',
  });
  await ask('bob');
  const opened = await open(await member('as'), proposals.queue);
  const numbers = async (...words: readonly string[]): Promise<void> => {
    for (const name of words)
      await opened.page.getByRole('option', { name, exact: true }).waitFor({ state: 'attached' });
  };
  await numbers('Answered (1)', 'Waiting for an answer (1)');
  // The vote gets no answer, so it stays the only reason why the request is left out.
  await opened.page.route('**/votes', () => undefined);
  await abstained(opened, request.target_sem_key);
  await heading(opened, 'Requests').waitFor();
  await numbers('Waiting for an answer (0)', 'Answered (0)');
  await opened.close();
});

test('a vote that is not undone arrives once after five seconds', async () => {
  const proposals = await Proposals.of(service, 'sent');
  const request = await proposals.fact('s1');
  const opened = await open(await member('se'), proposals.queue);
  await abstained(opened, request.target_sem_key);
  expect(await logged.of(request)).toStrictEqual([0]);
  expect(await opened.violations()).toStrictEqual([]);
  await passHold(opened);
  await opened.page.getByRole('region', { name: 'Your last decision' }).waitFor();
  await tray(opened).waitFor({ state: 'detached' });
  await passHold(opened);
  expect(await logged.of(request)).toStrictEqual([1]);
  await opened.close();
});

test('the line of the last decision names its request, keeps its receipt folded, and is gone while a later vote is held', async () => {
  const proposals = await Proposals.of(service, 'line');
  const [first, second] = await proposals.facts('l1', 'l2', 'l3');
  const opened = await open(await member('li'), proposals.queue);
  const { page } = opened;
  await abstained(opened, first!.target_sem_key);
  await passHold(opened);
  const line = page.getByRole('region', { name: 'Your last decision' });
  await line.waitFor();
  const [, , entity] = first!.target_sem_key.split('/');
  expect(await line.innerText()).toMatch(new RegExp(`^Your last decision: Abstained on ${entity}`));
  expect(await line.innerText()).not.toContain('position');
  await heading(opened, second!.target_sem_key).waitFor();
  await page.keyboard.press('x');
  await tray(opened).getByText('Abstained on').waitFor();
  expect(await line.count()).toBe(0);
  await passHold(opened);
  await line.waitFor();
  expect(await opened.violations()).toStrictEqual([]);
  await opened.close();
});

test('a reload sends a held vote, once', async () => {
  const proposals = await Proposals.of(service, 'reloaded');
  const request = await proposals.fact('r1');
  const opened = await open(await member('re'), proposals.queue);
  await abstained(opened, request.target_sem_key);
  await opened.page.reload();
  await logged.reach([1], request);
  await tray(opened).waitFor({ state: 'detached' });
  await passHold(opened);
  expect(await logged.of(request)).toStrictEqual([1]);
  await opened.close();
});

test('a page that is left or closed sends its held vote', async () => {
  const proposals = await Proposals.of(service, 'left');
  const [left, closed] = await proposals.facts('l1', 'l2');
  const token = await member('le');
  const first = await open(token, proposals.queue);
  await abstained(first, left!.target_sem_key);
  await first.page.goto('about:blank');
  await logged.reach([1, 0], left!, closed!);
  await first.close();
  const second = await open(token, proposals.queue);
  await abstained(second, closed!.target_sem_key);
  await second.page.close();
  await logged.reach([1, 1], left!, closed!);
  await second.close();
});

test('a sign-out sends a held vote', async () => {
  const proposals = await Proposals.of(service, 'out');
  const request = await proposals.fact('o1');
  const opened = await open(await member('so'), proposals.queue);
  await abstained(opened, request.target_sem_key);
  await opened.page.getByRole('button', { name: 'Sign out' }).click();
  await heading(opened, 'Sign in').waitFor();
  await logged.reach([1], request);
  expect(opened.errors).toStrictEqual([]);
  await opened.close();
});

test('a vote on several requests is held as one, lists their values, and is undone as one', async () => {
  const proposals = await Proposals.of(service, 'several');
  const requests = await proposals.facts('b1', 'b2', 'b3');
  const opened = await open(await member('be'), proposals.queue);
  const { page } = opened;
  await row(opened, proposals.keyOf('b3')).waitFor();
  const reject = async (): Promise<void> => {
    for (const name of ['b1', 'b2'])
      await page.getByRole('checkbox', { name: proposals.keyOf(name) }).check();
    await page.keyboard.press('R');
    const dialog = page.getByRole('dialog', { name: 'Reject 2 requests' });
    await dialog.getByText('The value of b2').waitFor();
    await dialog.getByLabel('Reason').selectOption('unclear');
    await dialog.getByRole('button', { name: 'Reject 2' }).click();
    await dialog.waitFor({ state: 'detached' });
  };
  await reject();
  await tray(opened).getByText('Rejected 2 requests').waitFor();
  expect(await tray(opened).getByText('The value of b1').count()).toBe(1);
  expect(await tray(opened).getByRole('button', { name: 'Undo' }).count()).toBe(1);
  await page.keyboard.press('z');
  await row(opened, proposals.keyOf('b1')).waitFor();
  expect(await rows(opened).count()).toBe(3);
  await reject();
  await sendNow(opened);
  expect(await logged.of(...requests)).toStrictEqual([1, 1, 0]);
  await opened.close();
});

test('a refused vote brings its request back on top of the queue, with a notice and with what was typed', async () => {
  const proposals = await Proposals.of(service, 'refused');
  const [, second] = await proposals.facts('c1', 'c2', 'c3');
  const opened = await open(await member('co'), proposals.queue);
  const { page } = opened;
  await row(opened, proposals.keyOf('c2')).getByRole('link').click();
  await heading(opened, proposals.keyOf('c2')).waitFor();
  await page.keyboard.press('A');
  await page.getByLabel('In your words').fill('I crossed it.');
  await page.keyboard.press('Control+Enter');
  await heading(opened, proposals.keyOf('c3')).waitFor();
  await admin.post(`action-requests/${second!.request_id}/revisions`, {
    ...{ value: 'The bridge is shut', reason: 'It was shut in May.' },
  });
  await sendNow(opened);
  await page.getByText('Your vote was not counted.').waitFor();
  await page.getByText('The request changed before the vote arrived.').waitFor();
  expect(await opened.violations()).toStrictEqual([]);
  await page.keyboard.press('u');
  await rows(opened).nth(2).waitFor();
  expect(await rows(opened).first().innerText()).toContain('The bridge is shut');
  await page.getByRole('link', { name: 'Look at it again' }).click();
  await heading(opened, proposals.keyOf('c2')).waitFor();
  expect(await page.getByLabel('In your words').inputValue()).toBe('I crossed it.');
  await page.getByLabel('In your words').press('Control+Enter');
  await page.getByText('Your vote was not counted.').waitFor({ state: 'detached' });
  await sendNow(opened);
  expect(await logged.of(second!)).toStrictEqual([1]);
  await opened.close();
});

test('a vote whose answer is lost is kept over a reload, cannot be undone, and counts once', async () => {
  const proposals = await Proposals.of(service, 'unanswered');
  const request = await proposals.fact('n1');
  const opened = await open(await member('na'), proposals.queue);
  const { page } = opened;
  await page.route('**/votes', async (route) => {
    await route.fetch();
    await route.abort();
  });
  await abstained(opened, request.target_sem_key);
  await tray(opened).getByRole('button', { name: 'Send now' }).click();
  const unanswered = tray(opened).getByText('Not answered yet, sent again by itself');
  await unanswered.waitFor();
  await page.reload();
  await unanswered.waitFor();
  expect(await tray(opened).getByRole('button', { name: 'Undo' }).count()).toBe(0);
  expect(await opened.violations()).toStrictEqual([]);
  await page.unroute('**/votes');
  await passHold(opened);
  await tray(opened).waitFor({ state: 'detached' });
  await page.getByRole('region', { name: 'Your last decision' }).waitFor();
  expect(await logged.of(request)).toStrictEqual([1]);
  await opened.close();
});

test('a copy of a tab neither shows nor sends the votes that the first tab holds', async () => {
  const proposals = await Proposals.of(service, 'copied');
  const request = await proposals.fact('d1');
  const opened = await open(await member('du'), proposals.queue);
  await abstained(opened, request.target_sem_key);
  // A page that another one opens begins with a copy of its storage, as the copy of a tab does.
  const copy = await opened.opened(proposals.queue);
  await row(copy, request.target_sem_key).waitFor();
  expect(await tray(copy).count()).toBe(0);
  await opened.page.keyboard.press('z');
  await tray(opened).waitFor({ state: 'detached' });
  await opened.page.close();
  await copy.page.reload();
  await row(copy, request.target_sem_key).waitFor();
  await passHold(copy);
  expect(await logged.of(request)).toStrictEqual([0]);
  expect(await copy.page.getByText('Your vote was not counted.').count()).toBe(0);
  expect(copy.errors).toStrictEqual([]);
  await opened.close();
});

test('a vote that a crash has interrupted is not sent: it is given back, and the page says so', async () => {
  const proposals = await Proposals.of(service, 'crashed');
  const request = await proposals.fact('k1');
  const opened = await open(await member('cr'), proposals.queue);
  const { page } = opened;
  await abstained(opened, request.target_sem_key);
  const left = await page.evaluate(() => ({ ...sessionStorage }));
  await page.goto('about:blank');
  await logged.reach([1], request);
  const restored = await open(await member('cr'), proposals.queue);
  await restored.page.evaluate((kept) => Object.assign(sessionStorage, kept), left);
  await restored.page.reload();
  await restored.page.getByText('Your vote was not counted.').waitFor();
  await restored.page.getByText('The page ended before it sent the vote.').waitFor();
  expect(await tray(restored).count()).toBe(0);
  expect(await restored.violations()).toStrictEqual([]);
  await opened.close();
  await restored.close();
});

test('a vote and a draft of one person are not those of another user of the same name', async () => {
  const proposals = await Proposals.of(service, 'namesake');
  const [voted, typed] = await proposals.facts('m1', 'm2');
  const sub = named('shared');
  const bob = await service.token('council', { sub, user_id: 'bob' });
  const eve = await service.token('council', { sub, user_id: 'eve' });
  const opened = await open(bob, proposals.queue);
  const { page } = opened;
  const voters: (string | undefined)[] = [];
  await page.route('**/votes', async (route) => {
    voters.push(route.request().headers()['authorization']);
    await route.abort();
  });
  await abstained(opened, voted!.target_sem_key);
  await heading(opened, typed!.target_sem_key).waitFor();
  await page.keyboard.press('A');
  await page.getByLabel('In your words').fill('The words of bob.');
  await page.getByLabel('In your words').blur();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await heading(opened, 'Sign in').waitFor();
  const signIn = async (token: string): Promise<void> => {
    await page.evaluate((kept) => sessionStorage.setItem('mace.session', kept), token);
    await opened.goto(`/requests/${typed!.request_id}`);
    await heading(opened, typed!.target_sem_key).waitFor();
  };
  await signIn(eve);
  await passHold(opened);
  expect(new Set(voters)).toStrictEqual(new Set([`Bearer ${bob}`]));
  expect(await tray(opened).count()).toBe(0);
  expect(await page.content()).not.toContain('The words of bob.');
  await page.unroute('**/votes');
  await signIn(bob);
  await logged.reach([1], voted!);
  await page.getByText('The words of bob.').waitFor();
  await opened.close();
});

test('a vote on an erasure is not held: it is sent when the word that is shown has been typed', async () => {
  const user = named('forgetful').toLowerCase();
  const asking = await Caller.of(service, 'user', { sub: user, user_id: user });
  const request = await asking.post<{ request_id: string }>('action-requests', {
    ...{ kind: 'erasure', subject: `user:${user}`, justification: 'Please forget me.' },
  });
  const opened = await open(await member('er'), `/requests/${request.request_id}`);
  const { page } = opened;
  await heading(opened, 'Erasure').waitFor();
  await page
    .getByRole('button', { name: /^Approve/ })
    .first()
    .waitFor();
  await page.keyboard.press('a');
  await page.getByLabel('In your words').fill('The user asks for it.');
  await page.getByLabel('In your words').press('Control+Enter');
  await page.getByText('Type erase here, then press Ctrl Enter.').waitFor();
  expect(await logged.of(request)).toStrictEqual([0]);
  expect(await opened.violations()).toStrictEqual([]);
  await page.getByLabel('Type “erase” to confirm').fill('erase');
  await page.keyboard.press('Control+Enter');
  await page.getByRole('region', { name: 'Your last decision' }).waitFor();
  expect(await tray(opened).count()).toBe(0);
  expect(await logged.of(request)).toStrictEqual([1]);
  await opened.close();
});

// The functions above that run in the page know these.
declare const document: { getAnimations(): readonly unknown[] };
declare const sessionStorage: { setItem(key: string, value: string): void };
