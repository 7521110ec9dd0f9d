import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { until } from '#test/faults/support/until.js';
import { Caller } from '#test/support/caller.js';
import { named } from '#test/support/named.js';
import { startProxy } from '#test/support/proxy.js';
import { TestService } from '#test/support/service.js';
import { ConsoleBrowser, type ConsolePage } from './support/browser.js';
import { Proposals, type Proposed } from './support/proposals.js';
import { sendNow, tray } from './support/votes.js';

let service: TestService;
let browser: ConsoleBrowser;
let admin: Caller;

beforeAll(async () => {
  service = await TestService.start({
    ownLog: true,
    environment: { MACE_COUNCIL_QUORUM: '2' },
  });
  browser = await ConsoleBrowser.start();
  admin = await Caller.of(service, 'admin');
});

afterAll(async () => {
  await browser?.stop();
  await service?.stop();
});

const member = (name: string): Promise<string> => service.token('council', { sub: named(name) });
const heading = (opened: ConsolePage, name: string) =>
  opened.page.getByRole('heading', { level: 1, name });
const panel = ({ page }: ConsolePage) => page.getByRole('region', { name: 'Your decision' });
const status = async (id: string): Promise<string> =>
  String((await admin.get(`action-requests/${id}`))['status']);
const votesOn = async (id: string): Promise<number> =>
  Number((await admin.get(`action-requests/${id}`))['votes_cast']);
/** The page of a request, in a queue that has no other. */
const pathOf = ({ request_id, target_sem_key: key }: Proposed): string =>
  `/requests/${request_id}?key=${key}`;
async function open(token: string, request: Proposed) {
  const opened = await browser.open(service, token, pathOf(request));
  await opened.page.getByRole('heading', { name: 'Proposed value' }).waitFor();
  return opened;
}

test('the queue shows risk with its reasons, votes and age in words, and filters by the URL', async () => {
  const proposals = await Proposals.of(service, 'queue');
  await proposals.fact('plain', 'text', { justification: 'The harbour is deep.' });
  await proposals.fact('bare', 'text', { evidence: [] });
  const opened = await browser.open(service, await member('qu'), proposals.queue);
  const { page } = opened;
  const row = page.getByRole('listitem').filter({ hasText: proposals.keyOf('bare') });
  await row.waitFor();
  const words = await row.innerText();
  expect(words).toMatch(/Medium risk/);
  expect(words).toMatch(/Cites no evidence · Nothing of this proposer was approved yet/);
  await row.getByTitle('Cites no evidence').waitFor();
  expect(words).toMatch(/0 of 2 votes/);
  expect(words).toMatch(/now|ago/);
  expect(words).not.toMatch(/expires/);
  expect(await opened.violations()).toStrictEqual([]);
  await page.getByLabel('Search').fill('harbour');
  await row.waitFor({ state: 'detached' });
  await page.getByRole('link', { name: proposals.keyOf('plain') }).waitFor();
  expect(page.url()).toContain('text=harbour');
  await page.reload();
  await page.getByRole('link', { name: proposals.keyOf('plain') }).waitFor();
  expect(await page.getByLabel('Search').inputValue()).toBe('harbour');
  await page.getByLabel('Status').selectOption('expired');
  await page.getByText('No request matches these filters').waitFor();
  expect(await opened.violations()).toStrictEqual([]);
  await opened.close();
});

test('the value stands first, once, its changes are marked, and hidden characters are visible', async () => {
  const proposals = await Proposals.of(service, 'shown');
  await admin.did('PUT', `sem/${proposals.keyOf('shown')}`, { body: { value: 'The sea is blue' } });
  const request = await proposals.fact(
    'shown',
    'The sea\u200B is gr\u0435en <script>alert(1)</script>',
  );
  const opened = await open(await member('sh'), request);
  const { page } = opened;
  await page.getByText('1 invisible character and 1 letter that looks like another').waitFor();
  await page.getByText('U+200B cannot be seen').waitFor();
  await page.getByText('\u0435 is U+0435, Cyrillic; it looks like the Latin e').waitFor();
  await page.getByText('Reject it, or propose other words.').waitFor();
  const diff = page.getByRole('region', { name: 'The present fact against the proposed value' });
  await diff.waitFor();
  expect(await diff.innerText()).toContain('<script>alert(1)</script>');
  expect(await diff.innerText()).toContain('U+200B');
  expect(await page.getByText('<script>alert(1)</script>').filter({ visible: true }).count()).toBe(
    1,
  );
  expect(await diff.locator('del').first().innerText()).toMatch(/removed/);
  expect(await diff.locator('ins').first().innerText()).toMatch(/added/);
  expect(await diff.locator('del').allInnerTexts()).toContainEqual(expect.stringMatching(/blue/));
  expect(await page.evaluate('document.activeElement.textContent')).not.toMatch(/^Approve/);
  expect(await opened.violations()).toStrictEqual([]);
  expect(opened.errors).toStrictEqual([]);
  await opened.close();
});

test('two reviewers at once: the votes of one are hidden from the other until the other votes', async () => {
  const proposals = await Proposals.of(service, 'pair');
  const request = await proposals.fact('pair');
  const [ann, bob] = [
    await open(await member('ann'), request),
    await open(await member('bob'), request),
  ];
  await ann.page.keyboard.press('A');
  await ann.page.getByLabel('In your words').fill('The harbour master confirms it.');
  await ann.page.keyboard.press('Control+Enter');
  await heading(ann, 'Requests').waitFor();
  await sendNow(ann);
  await bob.page.reload();
  await bob.page.getByText('One vote is hidden until you have voted').waitFor();
  expect(await bob.page.locator('body').innerText()).not.toContain('harbour master');
  // While the risk is not known, approving asks for a reason.
  await bob.page.getByText(/^(Low|Medium) risk$/).waitFor();
  await bob.page.keyboard.press('a');
  await heading(bob, 'Requests').waitFor();
  await sendNow(bob);
  const last = bob.page.getByRole('region', { name: 'Your last decision' });
  expect(await last.innerText()).toMatch(
    /^Your last decision: Approved .+\n*See it again\s+Receipt$/,
  );
  await last.getByText('Receipt', { exact: true }).click();
  expect(await last.innerText()).toMatch(/Event \d+, position \d+, hash [0-9a-f]{12}…/);
  const downloading = bob.page.waitForEvent('download');
  await last.getByRole('button', { name: 'Download the receipt' }).click();
  const receipt = JSON.parse(await readFile(await (await downloading).path(), 'utf8')) as {
    event: { type: string };
    signature: string;
  };
  expect(receipt.event.type).toBe('vote_cast');
  expect(receipt.signature).toMatch(/^[0-9a-f]{128}$/);
  await last.getByRole('link', { name: 'See it again' }).click();
  await bob.page.getByText('The harbour master confirms it.').waitFor();
  expect(['approved', 'executed']).toContain(await status(request.request_id));
  await ann.close();
  await bob.close();
});

test('words that change while a reviewer types are shown with what changed and why, and are voted on only then', async () => {
  const proposals = await Proposals.of(service, 'stale');
  const request = await proposals.fact('stale', 'The bridge is open');
  const opened = await open(await member('st'), request);
  const { page } = opened;
  await page.keyboard.press('A');
  await page.getByLabel('In your words').fill('I crossed it.');
  await admin.post(`action-requests/${request.request_id}/revisions`, {
    value: 'The bridge is shut',
    reason: 'It was shut in May.',
  });
  await page.getByText('This proposal changed while you were looking at it').waitFor();
  await page.keyboard.press('Control+Enter');
  await page.getByText('It was shut in May.').first().waitFor();
  const diff = page.getByRole('region', { name: 'What changed in the value' });
  expect(await diff.locator('ins').innerText()).toMatch(/shut/);
  expect(await page.getByLabel('In your words').inputValue()).toBe('I crossed it.');
  expect(await opened.violations()).toStrictEqual([]);
  await page.getByRole('button', { name: 'Go on with the new words' }).click();
  await page.getByLabel('In your words').press('Control+Enter');
  await heading(opened, 'Requests').waitFor();
  await sendNow(opened);
  expect(await votesOn(request.request_id)).toBe(1);
  await opened.close();
});

test('what is typed survives a reload, and is cleared once it is sent', async () => {
  const proposals = await Proposals.of(service, 'draft');
  const request = await proposals.fact('draft', { depth: 4 });
  const opened = await open(await member('dr'), request);
  const { page } = opened;
  await page.keyboard.press('e');
  await page.getByLabel('The value in other words').fill('{ "depth": 5');
  await page.getByLabel('In your words').fill('The chart says five.');
  await page.reload();
  await page.getByLabel('In your words').waitFor();
  expect(await page.getByLabel('In your words').inputValue()).toBe('The chart says five.');
  await page.getByLabel('In your words').press('Control+Enter');
  await page.getByText('The value is not JSON.').waitFor();
  await page.getByLabel('The value in other words').fill('{ "depth": 5 }');
  await page.getByLabel('In your words').press('Control+Enter');
  await heading(opened, 'Requests').waitFor();
  await opened.goto(`/requests/${request.request_id}`);
  await page.getByText('You wrote these words, so another member decides.').waitFor();
  await opened.close();
});

test('a service that is away loses nothing, and the decision counts once when it is back', async () => {
  const proposals = await Proposals.of(service, 'away');
  const request = await proposals.fact('away');
  const proxy = await startProxy(service.url);
  const opened = await browser.open(proxy, await member('aw'), pathOf(request));
  const { page } = opened;
  await page.getByRole('heading', { name: 'Proposed value' }).waitFor();
  await page.keyboard.press('A');
  await page.getByLabel('In your words').fill('I was there.');
  proxy.disconnect();
  await page.keyboard.press('Control+Enter');
  await heading(opened, 'Requests').waitFor();
  await tray(opened).getByText('Not answered yet, sent again by itself').waitFor();
  expect(await opened.violations()).toStrictEqual([]);
  proxy.reconnect();
  await sendNow(opened);
  expect(await votesOn(request.request_id)).toBe(1);
  await opened.close();
  await proxy.stop();
});

test('an auditor reads a request, sees no control to decide, and is refused by the service', async () => {
  const proposals = await Proposals.of(service, 'audited');
  const request = await proposals.fact('audited');
  const token = await service.token('auditor');
  const opened = await open(token, request);
  expect(await panel(opened).count()).toBe(0);
  expect(await opened.page.getByRole('button', { name: /Approve|Reject/ }).count()).toBe(0);
  await opened.page.keyboard.press('a');
  await opened.page.keyboard.press('u');
  await heading(opened, 'Requests').waitFor();
  expect(await opened.page.getByRole('checkbox', { name: /Select/ }).count()).toBe(0);
  const { status: code } = await service.call(
    'POST',
    `/v1/action-requests/${request.request_id}/votes`,
    {
      token,
      body: { vote: 'approve', reason: 'x', proposal_hash: request.proposal_hash },
    },
  );
  expect(code).toBe(403);
  await opened.close();
});

test('many are rejected at once; approving several asks for typed words and leaves out a high risk', async () => {
  const proposals = await Proposals.of(service, 'many');
  await admin.did('PUT', `sem/${proposals.keyOf('m5')}`, { body: { value: 'It stands' } });
  const requests = await proposals.facts('m1', 'm2', 'm3', 'm4', 'm5');
  const opened = await browser.open(service, await member('ma'), proposals.queue);
  const { page } = opened;
  const select = (name: string) =>
    page.getByRole('checkbox', { name: proposals.keyOf(name) }).check();
  await select('m1');
  await select('m2');
  await page.keyboard.press('R');
  const rejecting = page.getByRole('dialog', { name: 'Reject 2 requests' });
  await rejecting.getByLabel('Reason').selectOption('unclear');
  await rejecting.getByRole('button', { name: 'Reject 2' }).click();
  await sendNow(opened);
  await page.getByText('Rejected 2 requests.').first().waitFor();
  for (const name of ['m3', 'm4', 'm5']) await select(name);
  await page.keyboard.press('A');
  const approving = page.getByRole('dialog', { name: 'Approve 2 requests' });
  await approving.getByText('1 of high risk is left out').waitFor();
  await approving.getByRole('button', { name: 'Approve' }).click();
  await approving.getByText('Type approve 2', { exact: true }).waitFor();
  await approving.getByLabel('Type “approve 2” to confirm').fill('approve 2');
  await approving.getByRole('button', { name: 'Approve' }).click();
  await sendNow(opened);
  const cast = await Promise.all(requests.map(({ request_id }) => votesOn(request_id)));
  expect(cast).toStrictEqual([1, 1, 1, 1, 0]);
  await opened.close();
});

test('the queue says what would be refused now, filters by it, and a bulk approval names it first', async () => {
  const proposals = await Proposals.of(service, 'checked');
  const [first, second, third] = await proposals.facts('c1', 'c2', 'c3');
  const put = (request: { readonly target_sem_key: string } | undefined, body: object) =>
    admin.did('PUT', `sem/${request?.target_sem_key}`, { body });
  const later = new Date(Date.now() + 4 * 60_000).toISOString();
  await put(first, { value: 'Another value' });
  await put(second, { value: 'The value of c2', timestamp: later });
  const opened = await browser.open(service, await member('ch'), proposals.queue);
  const { page } = opened;
  const row = (name: string) =>
    page.getByRole('listitem').filter({ hasText: proposals.keyOf(name) });
  await row('c1').getByText('The fact has a value since', { exact: true }).waitFor();
  await row('c2').getByText('Would be refused', { exact: true }).waitFor();
  await row('c2').getByText('a later write stands', { exact: true }).waitFor();
  expect(await row('c3').innerText()).not.toMatch(/since|refused/);
  expect(await opened.violations()).toStrictEqual([]);
  const outcome = page.getByLabel('If approved now');
  await outcome.selectOption('Would be refused');
  await row('c1').waitFor({ state: 'detached' });
  await row('c2').waitFor();
  expect(page.url()).toContain('refused=only');
  await page.reload();
  await row('c2').waitFor();
  expect(await row('c1').count()).toBe(0);
  await outcome.selectOption('Would be written');
  await row('c3').waitFor();
  expect(await row('c2').count()).toBe(0);
  await outcome.selectOption('Written or refused');
  await row('c2').waitFor();
  for (const name of ['c2', 'c3'])
    await page.getByRole('checkbox', { name: proposals.keyOf(name) }).check();
  await page.keyboard.press('A');
  const approving = page.getByRole('dialog', { name: 'Approve 2 requests' });
  await approving.getByText('1 of them would be refused now').waitFor();
  const refused = approving.getByRole('listitem').filter({ hasText: 'a later write stands' });
  expect(await refused.innerText()).toContain(proposals.keyOf('c2'));
  await approving.locator('textarea:focus').waitFor();
  expect(await opened.violations()).toStrictEqual([]);
  await approving.getByRole('button', { name: 'Leave it out' }).click();
  const one = page.getByRole('dialog', { name: 'Approve 1 request' });
  await one.getByLabel('Type “approve 1” to confirm').fill('approve 1');
  await one.getByRole('button', { name: 'Approve' }).click();
  await sendNow(opened);
  expect([await votesOn(second!.request_id), await votesOn(third!.request_id)]).toStrictEqual([
    0, 1,
  ]);
  await opened.close();
});

test('a fact that is written while the queue is open marks its row without a reload', async () => {
  const proposals = await Proposals.of(service, 'marked');
  const request = await proposals.fact('marked');
  const opened = await browser.open(service, await member('mk'), proposals.queue);
  const row = opened.page.getByRole('listitem').filter({ hasText: request.target_sem_key });
  await row.waitFor();
  // The page would read again after 15 s without the stream of events.
  opened.page.setDefaultTimeout(10_000);
  await admin.did('PUT', `sem/${request.target_sem_key}`, { body: { value: 'Another value' } });
  await row.getByText('The fact has a value since', { exact: true }).waitFor();
  await opened.close();
});

test('the age of a request goes on while the queue is open', async () => {
  const proposals = await Proposals.of(service, 'clock');
  const { target_sem_key } = await proposals.fact('clock');
  const token = await service.token('council', { sub: named('cl'), ttl: 7 * 86_400 });
  const opened = await browser.open(service, token, proposals.queue);
  const { page } = opened;
  const row = page.getByRole('listitem').filter({ hasText: target_sem_key });
  await page.clock.install();
  await page.reload();
  await row.getByText(/^just now$|^now$|minutes? ago$/).waitFor();
  await page.clock.fastForward('24:00:00');
  await row.getByText('1 day ago').waitFor();
  await opened.close();
});

test('a queue of 1,000 requests has only the visible rows in the page, is moved through to its end, and keeps the place', async () => {
  const proposals = await Proposals.of(service, 'flood');
  await proposals.flood(1_000);
  // Others see the requests once the read model shows them.
  await service.caughtUp();
  const auditor = await Caller.of(service, 'auditor');
  const keys: string[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const path = `action-requests?status=pending&order=deadline&limit=500&proposer=${proposals.proposer}`;
    const page: { action_requests: { target_sem_key: string }[]; next_cursor: string | null } =
      await auditor.get(cursor === '' ? path : `${path}&cursor=${cursor}`);
    keys.push(...page.action_requests.map(({ target_sem_key }) => target_sem_key));
    cursor = page.next_cursor;
  }
  expect(keys).toHaveLength(1_000);
  const opened = await browser.open(service, await member('fl'), proposals.queue);
  const { page } = opened;
  const rows = page.getByRole('listitem');
  const place = (index: number) =>
    page
      .locator(`li[aria-posinset="${index + 1}"]:has(a:focus)`)
      .filter({ hasText: keys[index] ?? '' });
  /** Holds a key until the row with this index has the focus. */
  const move = async (key: 'j' | 'k', index: number): Promise<void> => {
    await until(`row ${index} has the focus`, async () => {
      const focused = await page.evaluate<number>(FOCUSED_PLACE);
      const distance = key === 'j' ? index - focused : focused - index;
      await page.evaluate(`(${HOLD})(${JSON.stringify(key)}, ${distance})`);
      return (await page.evaluate(FOCUSED_PLACE)) === index;
    });
    await place(index).waitFor();
  };
  await page.getByText('1000 pending').waitFor();
  await page.getByRole('link', { name: keys[0] ?? '' }).waitFor();
  await move('j', 500);
  expect(await rows.count()).toBeLessThan(40);
  await page.keyboard.press('Enter');
  await heading(opened, keys[500] ?? '').waitFor();
  await page.keyboard.press('x');
  await heading(opened, keys[501] ?? '').waitFor();
  await page.keyboard.press('u');
  await page.getByText('999 pending').waitFor();
  keys.splice(500, 1);
  await place(500).waitFor();
  await move('j', 998);
  expect(await rows.count()).toBeLessThan(40);
  await move('k', 990);
  await opened.close();
});

/** Repeats a key as fast as the page takes it, as a held key does. */
const HOLD = `async (key, times) => {
  for (let press = 0; press < times; press += 1) {
    document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
    await new Promise((resolve) => setTimeout(resolve));
  }
}`;
/** The place of the row with the focus, from 0; -1 without one. */
const FOCUSED_PLACE =
  "Number(document.activeElement?.closest('li')?.getAttribute('aria-posinset') ?? 0) - 1";

/** Lets two members close a request, and returns it. */
async function closed(name: string, vote: 'approve' | 'reject') {
  const request = await (await Proposals.of(service, name)).fact(name);
  const body = { vote, reason: `By ${name}.`, proposal_hash: request.proposal_hash };
  for (const sub of ['one', 'two']) {
    const by = await Caller.of(service, 'council', { sub: named(`${name}-${sub}`) });
    await by.post(`action-requests/${request.request_id}/votes`, body);
  }
  return request;
}

test('the figures of the council stand in tables, in all and over time, for a period in the URL', async () => {
  await closed('fig-a', 'approve');
  await closed('fig-r', 'reject');
  const opened = await browser.open(service, await member('fi'), '/requests/figures');
  const { page } = opened;
  const all = page.getByRole('region', { name: 'Figures of the council' });
  const row = (name: string) => all.getByRole('row').filter({ hasText: name });
  await row('Median time to decide').waitFor();
  const total = await row('Decided by votes').getByRole('cell').first().innerText();
  expect(total).toMatch(/^[\d,]+$/);
  const days = page.getByRole('region', { name: 'Figures of each day' });
  expect(await days.isVisible()).toBe(false);
  await page.getByText('The numbers of each day').focus();
  await page.keyboard.press('Enter');
  const rows = await days.getByRole('row').allInnerTexts();
  expect(rows).toHaveLength(31);
  const decided = rows.slice(1).map((text) => Number(text.split('\t')[1]));
  expect(decided.reduce((sum, count) => sum + count)).toBe(Number(total));
  expect(await opened.violations()).toStrictEqual([]);
  await page.getByLabel('Period').selectOption('The last 365 days');
  await page.waitForURL(/days=365/);
  await page.getByText('Closed requests per month').waitFor();
  await row('Reviewers disagreed').waitFor();
  expect(opened.errors).toStrictEqual([]);
  await opened.close();
});

test('the figures over time are drawn in the colours of the page, and fit a narrow window', async () => {
  await closed('fig-drawn', 'reject');
  const opened = await browser.open(service, await member('fd'), '/requests/figures');
  const { page } = opened;
  const canvases = page.locator('[aria-hidden="true"] canvas');
  await canvases.nth(1).waitFor();
  const colours = () => page.evaluate(coloursOfFirstCanvas);
  const choose = (theme: string) => page.getByLabel('Colours').selectOption(theme);
  const drawn = async (colour: string) =>
    until(`a bar is drawn in ${colour}`, async () => (await colours()).includes(colour));
  await choose('light');
  await drawn('171,29,29');
  await choose('dark');
  await drawn('255,154,147');
  expect(await colours()).not.toContain('171,29,29');
  await choose('system');
  await page.emulateMedia({ colorScheme: 'light' });
  await drawn('171,29,29');
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
  await drawn('255,154,147');
  await page.reload();
  await drawn('255,154,147');
  await page.setViewportSize({ width: 400, height: 800 });
  await until(
    'the drawing fits',
    async () => ((await canvases.first().boundingBox())?.width ?? 400) < 400,
  );
  expect(await opened.overflow()).toBe(0);
  expect(await opened.violations()).toStrictEqual([]);
  // The policy of the page allows no style that a script writes into it.
  expect(opened.errors).toStrictEqual([]);
  await opened.close();
});

test('a decided request offers the receipt of each vote, of the decision and of the write, and leads to the fact', async () => {
  const request = await closed('old', 'approve');
  const opened = await open(await member('later'), request);
  const { page } = opened;
  const votes = page.getByRole('listitem').filter({ hasText: 'By old.' });
  await votes.nth(1).waitFor();
  const download = page.waitForEvent('download');
  await votes
    .nth(1)
    .getByRole('button', { name: /^Receipt of event \d+$/ })
    .click();
  const receipt = JSON.parse(await readFile(await (await download).path(), 'utf8')) as {
    readonly event: {
      readonly type: string;
      readonly data: { readonly voter: { readonly sub: string } };
    };
  };
  expect(receipt.event).toMatchObject({
    ...{ type: 'vote_cast', data: { voter: { sub: named('old-two') } } },
  });
  const record = page.getByRole('region', { name: 'Record' });
  for (const words of ['Proposed by', 'Approved', 'Written as version 0 of the fact'])
    await record
      .getByRole('listitem')
      .filter({ hasText: words })
      .getByRole('button', { name: /^Receipt of event/ })
      .waitFor();
  await page.setViewportSize({ width: 400, height: 800 });
  expect(await opened.overflow()).toBe(0);
  expect(await opened.violations()).toStrictEqual([]);
  await record.getByRole('link', { name: 'version 0 of the fact' }).click();
  await page.waitForURL(/\/facts\/.*version=0/);
  expect(opened.errors).toStrictEqual([]);
  await opened.close();
});

test('before the own vote, a request offers the receipt of no vote of another', async () => {
  const request = await (await Proposals.of(service, 'unseen')).fact('unseen');
  const first = await Caller.of(service, 'council', { sub: named('first') });
  await first.post(`action-requests/${request.request_id}/votes`, {
    ...{ vote: 'approve', reason: 'Yes.', proposal_hash: request.proposal_hash },
  });
  const opened = await open(await member('second'), request);
  const { page } = opened;
  await page.getByText('One vote is hidden until you have voted.').waitFor();
  await page.getByText('Record', { exact: true }).click();
  const receipts = page.getByRole('button', { name: /^Receipt of event/ });
  expect(await receipts.allInnerTexts()).toStrictEqual(['Receipt of event 0']);
  await opened.close();
});

/** Runs in the page. Returns every colour in the first canvas once, as `red,green,blue`. */
function coloursOfFirstCanvas(): string[] {
  const canvas = document.querySelector('canvas');
  const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
  const found = new Set<string>();
  for (let at = 0; at < data.length; at += 4)
    if (data[at + 3] === 255) found.add([data[at], data[at + 1], data[at + 2]].join(','));
  return [...found];
}

// The function above that runs in the page knows this.
declare const document: {
  querySelector(selector: 'canvas'): {
    readonly width: number;
    readonly height: number;
    getContext(kind: '2d'): {
      getImageData(...area: readonly number[]): {
        readonly data: { readonly length: number; readonly [at: number]: number };
      };
    };
  };
};
