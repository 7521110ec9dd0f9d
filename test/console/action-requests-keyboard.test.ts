import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { until } from '#test/faults/support/until.js';
import { Caller } from '#test/support/caller.js';
import { named } from '#test/support/named.js';
import { TestService } from '#test/support/service.js';
import { ConsoleBrowser, type ConsolePage } from './support/browser.js';
import { decideAll, noteTimes } from './support/decisions.js';
import { Proposals } from './support/proposals.js';
import { sendNow } from './support/votes.js';

let service: TestService;
let browser: ConsoleBrowser;

beforeAll(async () => {
  service = await TestService.start({ ownLog: true });
  browser = await ConsoleBrowser.start();
});

afterAll(async () => {
  await browser?.stop();
  await service?.stop();
});

const member = (name: string): Promise<string> => service.token('council', { sub: named(name) });
const heading = (opened: ConsolePage, name: string) =>
  opened.page.getByRole('heading', { level: 1, name });

test('the queue is moved through by j and k, opened by Enter, and keeps the focus', async () => {
  const proposals = await Proposals.of(service, 'mover');
  const [first, second] = await proposals.facts('one', 'two', 'three');
  const opened = await browser.open(service, await member('mo'), proposals.queue);
  const { page } = opened;
  const link = (key: string) => page.getByRole('link', { name: key });
  await link(proposals.keyOf('three')).waitFor();
  await page.keyboard.press('j');
  await focused(opened, first?.target_sem_key);
  await page.keyboard.press('j');
  await focused(opened, second?.target_sem_key);
  await page.keyboard.press('k');
  await focused(opened, first?.target_sem_key);
  await page.keyboard.press('Space');
  expect(await page.getByRole('checkbox', { name: first?.target_sem_key }).isChecked()).toBe(true);
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await heading(opened, proposals.keyOf('two')).waitFor();
  await page.keyboard.press('j');
  await heading(opened, proposals.keyOf('three')).waitFor();
  await page.keyboard.press('k');
  await heading(opened, proposals.keyOf('two')).waitFor();
  await page.keyboard.press('u');
  await focused(opened, second?.target_sem_key);
  await page.keyboard.press('?');
  const keys = page.getByRole('dialog', { name: 'Keys' });
  await keys.waitFor();
  expect(await opened.violations()).toStrictEqual([]);
  await page.keyboard.press('Escape');
  await keys.waitFor({ state: 'detached' });
  await focused(opened, second?.target_sem_key);
  await page.keyboard.press('/');
  await page.keyboard.type('three');
  await page.keyboard.press('Enter');
  await page.waitForURL((url) => url.searchParams.get('text') === 'three');
  await link(proposals.keyOf('three')).waitFor();
  await link(proposals.keyOf('one')).waitFor({ state: 'detached' });
  await page.keyboard.press('j');
  await focused(opened, proposals.keyOf('three'));
  expect(opened.errors).toStrictEqual([]);
  await opened.close();
});

/** Waits until the link with this name has the focus. */
const focused = (opened: ConsolePage, name = '') =>
  opened.page.locator('a:focus', { hasText: name }).waitFor();

test('a filter keeps every letter that is typed while the list is read again', async () => {
  const proposals = await Proposals.of(service, 'filterer');
  await proposals.facts('kept', 'other');
  const opened = await browser.open(service, await member('fi'), proposals.queue);
  const { page } = opened;
  const rows = page.getByRole('listitem').filter({ hasText: 'world/review/' });
  await rows.nth(1).waitFor();
  const field = page.getByRole('searchbox', { name: 'Search' });
  const key = proposals.keyOf('kept');
  await field.click();
  await typeWhenAddressChanges(opened, key.slice(-4));
  await page.keyboard.type(key.slice(0, -4));
  await page.waitForURL((url) => url.searchParams.get('text') === key);
  await rows.filter({ hasText: key }).waitFor();
  expect(await rows.count()).toBe(1);
  await opened.close();
});

/** Makes the page get the rest of a text at the moment at which its address gets the first part. */
const typeWhenAddressChanges = ({ page }: ConsolePage, rest: string): Promise<void> =>
  page.evaluate((text) => {
    const replaceState = history.replaceState.bind(history);
    history.replaceState = (...args: unknown[]) => {
      replaceState(...args);
      history.replaceState = replaceState;
      document.execCommand('insertText', false, text);
    };
  }, rest);

test('each decision takes one key, and the next request is shown without another', async () => {
  const proposals = await Proposals.of(service, 'decider');
  const names = Array.from({ length: 13 }, (_, index) => `d${index + 10}`);
  await proposals.facts(...names);
  const opened = await browser.open(service, await member('di'), proposals.queue);
  const { page } = opened;
  await page.getByRole('link', { name: proposals.keyOf('d10') }).waitFor();
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await heading(opened, proposals.keyOf('d10')).waitFor();
  await noteTimes(opened);
  await decideAll(opened, 12);
  await heading(opened, proposals.keyOf('d22')).waitFor();
  await page
    .getByText(/^Proposed other words for/)
    .first()
    .waitFor();
  await until('the held votes are cast', async () => {
    const { executed, rejected, pending } = await statuses(proposals);
    return executed === 3 && rejected === 3 && pending === 7;
  });
  expect(opened.errors).toStrictEqual([]);
  await opened.close();
});

test('Enter and Space work on the first request as soon as the queue is there, also after a search', async () => {
  const proposals = await Proposals.of(service, 'opener');
  await proposals.facts('p1', 'p2', 'p3');
  const opened = await browser.open(service, await member('op'), proposals.queue);
  const { page } = opened;
  const link = (name: string) => page.getByRole('link', { name: proposals.keyOf(name) });
  await link('p3').waitFor();
  await page.keyboard.press('Space');
  const box = page.getByRole('checkbox', { name: proposals.keyOf('p1') });
  expect(await box.isChecked()).toBe(true);
  await page.keyboard.press('j');
  await focused(opened, proposals.keyOf('p2'));
  await page.reload();
  await link('p3').waitFor();
  await page.keyboard.press('Enter');
  await heading(opened, proposals.keyOf('p1')).waitFor();
  await page.keyboard.press('u');
  await page.keyboard.press('/');
  await page.keyboard.type(proposals.keyOf('p3'));
  await page.keyboard.press('Enter');
  await link('p1').waitFor({ state: 'detached' });
  await link('p3').waitFor();
  await page.keyboard.press('Enter');
  await heading(opened, proposals.keyOf('p3')).waitFor();
  await opened.close();
});

test('after a decision comes the next request that waits for this person, above after below, and then the queue', async () => {
  const proposals = await Proposals.of(service, 'way');
  const sub = named('wa');
  const own = await Caller.of(service, 'council', { sub });
  const requests = await proposals.facts('w1', 'w2', 'w3', 'w4');
  const voted = requests[2]!;
  await own.post(`action-requests/${voted.request_id}/votes`, {
    ...{ vote: 'abstain', reason: 'I was not there.', proposal_hash: voted.proposal_hash },
  });
  await service.caughtUp();
  const token = await service.token('council', { sub });
  const opened = await browser.open(service, token, `${proposals.queue}&voted=true&order=oldest`);
  const { page } = opened;
  await page.getByRole('link', { name: proposals.keyOf('w2') }).click();
  await heading(opened, proposals.keyOf('w2')).waitFor();
  await page.getByText('2 of 4', { exact: true }).waitFor();
  await page.keyboard.press('j');
  await heading(opened, proposals.keyOf('w3')).waitFor();
  await page.keyboard.press('k');
  await heading(opened, proposals.keyOf('w2')).waitFor();
  await page.keyboard.press('x');
  // The third one has this person's vote.
  await heading(opened, proposals.keyOf('w4')).waitFor();
  await page.keyboard.press('x');
  await heading(opened, proposals.keyOf('w1')).waitFor();
  await page.keyboard.press('x');
  await heading(opened, 'Requests').waitFor();
  await opened.close();
});

/** Counts the requests of a proposer by status; an approved one is on its way to executed. */
async function statuses({ agent }: Proposals): Promise<Record<string, number>> {
  const { action_requests } = await agent.get<{ action_requests: { status: string }[] }>(
    'action-requests?limit=100',
  );
  const counted: Record<string, number> = {};
  for (const { status } of action_requests) {
    const settled = status === 'approved' ? 'executed' : status;
    counted[settled] = (counted[settled] ?? 0) + 1;
  }
  return counted;
}

test('what another reviewer decides leaves the open queue, and closes the open request, without a reload', async () => {
  const proposals = await Proposals.of(service, 'live');
  const [first, second] = await proposals.facts('l1', 'l2', 'l3');
  const ann = await browser.open(service, await member('lann'), proposals.queue);
  const bob = await browser.open(service, await member('lbob'), proposals.queue);
  const row = ({ page }: ConsolePage, name: string) =>
    page.getByRole('listitem').filter({ hasText: proposals.keyOf(name) });
  for (const page of [ann, bob]) await row(page, 'l3').waitFor();
  // The pages would read again after 15 s without the stream of events.
  ann.page.setDefaultTimeout(10_000);
  await ann.page.getByText('3 pending').waitFor();
  await bob.page.keyboard.press('j');
  await focused(bob, first?.target_sem_key);
  await bob.page.keyboard.press('Enter');
  await heading(bob, proposals.keyOf('l1')).waitFor();
  for (const key of ['r', '2', 'Control+Enter']) await bob.page.keyboard.press(key);
  await heading(bob, proposals.keyOf('l2')).waitFor();
  await sendNow(bob);
  await row(ann, 'l1').waitFor({ state: 'detached' });
  await ann.page.getByText('2 pending').waitFor();
  await ann.page.keyboard.press('j');
  await focused(ann, second?.target_sem_key);
  await ann.page.keyboard.press('Enter');
  await heading(ann, proposals.keyOf('l2')).waitFor();
  await bob.page.getByText(/^(Low|Medium) risk$/).waitFor();
  await bob.page.keyboard.press('a');
  await heading(bob, proposals.keyOf('l3')).waitFor();
  await sendNow(bob);
  await ann.page.getByText('This request is closed.').waitFor();
  expect(ann.errors).toStrictEqual([]);
  await ann.close();
  await bob.close();
});

test('keys that are typed into a field are text', async () => {
  const proposals = await Proposals.of(service, 'typist');
  const { request_id } = await proposals.fact('typed');
  const opened = await browser.open(service, await member('ty'), `/requests/${request_id}`);
  const { page } = opened;
  await heading(opened, proposals.keyOf('typed')).waitFor();
  await page.keyboard.press('q');
  await page.keyboard.type('jaxrequ?');
  const field = page.getByRole('textbox', { name: 'Your question' });
  expect(await field.inputValue()).toBe('jaxrequ?');
  await page.keyboard.press('Escape');
  await field.waitFor({ state: 'hidden' });
  await page.keyboard.press('q');
  expect(await field.inputValue()).toBe('jaxrequ?');
  await opened.close();
});

test('a request of high risk asks for a reason before it is approved', async () => {
  const proposals = await Proposals.of(service, 'careful');
  const admin = await Caller.of(service, 'admin');
  await admin.did('PUT', `sem/${proposals.keyOf('stands')}`, { body: { value: 'It stands' } });
  const { request_id } = await proposals.fact('stands');
  const opened = await browser.open(service, await member('ca'), `/requests/${request_id}`);
  const { page } = opened;
  await page.getByText('Contradicts the present fact').waitFor();
  await page.keyboard.press('a');
  const why = page.getByRole('textbox', { name: 'In your words' });
  await why.press('Control+Enter');
  await page.getByText('Say why.').waitFor();
  await why.fill('The old value was a mistake.');
  await why.press('Control+Enter');
  await page.getByRole('region', { name: 'Your last decision' }).waitFor();
  await opened.close();
});

// The function above that runs in the page knows these.
declare const history: { replaceState(...args: unknown[]): void };
declare const document: { execCommand(name: string, ui: boolean, text: string): void };
