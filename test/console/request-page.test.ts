import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Caller } from '#test/support/caller.js';
import { mace } from '#test/support/cli-run.js';
import { named } from '#test/support/named.js';
import { TestService } from '#test/support/service.js';
import { temporaryFolder } from '#test/support/temporary-folder.js';
import { TEST_KEYS } from '#test/support/test-keys.js';
import { ConsoleBrowser, type ConsolePage } from './support/browser.js';
import { type Proposed, Proposals } from './support/proposals.js';

const folder = temporaryFolder('request-page');
let service: TestService;
let browser: ConsoleBrowser;
let admin: Caller;
let proposals: Proposals;

beforeAll(async () => {
  service = await TestService.start({ ownLog: true });
  browser = await ConsoleBrowser.start();
  admin = await Caller.of(service, 'admin');
  proposals = await Proposals.of(service, 'glance');
});

afterAll(async () => {
  await browser?.stop();
  await service?.stop();
  folder.remove();
});

const member = (name: string): Promise<string> => service.token('council', { sub: named(name) });
const shown = async (opened: ConsolePage): Promise<ConsolePage> => {
  await opened.page.getByRole('heading', { name: 'Proposed value' }).waitFor();
  await opened.page.getByRole('heading', { name: 'Episode and evidence' }).waitFor();
  await opened.settled();
  return opened;
};
const open = async ({ request_id }: Pick<Proposed, 'request_id'>): Promise<ConsolePage> =>
  shown(await browser.open(service, await member('reader'), `/requests/${request_id}`));
/** Proposes to replace the value of a fact. */
async function change(name: string, before: unknown, after: unknown, more: object = {}) {
  await admin.did('PUT', `sem/${proposals.keyOf(name)}`, { body: { value: before } });
  return proposals.fact(name, after, more);
}
const changeOn = ({ page }: ConsolePage) =>
  page.getByRole('region', { name: 'The present fact against the proposed value' });
/** The changes that a page shows, a line for each. */
const changesOn = async (opened: ConsolePage): Promise<string[]> => {
  const rows = await changeOn(opened).getByRole('list', { name: 'Changes' }).locator('> li').all();
  const texts = await Promise.all(rows.map((row) => row.innerText()));
  return texts.map((text) => text.replace(/\s+/g, ' ').trim());
};
/** Where the decision and a button of it stand, in whole pixels. */
const places = async ({ page }: ConsolePage) => {
  const panel = page.getByRole('region', { name: 'Your decision' });
  const reject = panel.getByRole('button', { name: /^Reject/ });
  const parts = (await reject.count()) > 0 ? [panel, reject] : [panel];
  const boxes = await Promise.all(parts.map((part) => part.boundingBox()));
  return boxes.map((box) => [box?.x, Math.round(box?.y ?? 0)]);
};

test('each request of the sample fits a window of 1280 × 800, the decision always at the same place', async () => {
  const { MACE_JWT_SECRET } = TEST_KEYS;
  const env = { MACE_URL: service.url, MACE_JWT_SECRET };
  const { code, stdout, stderr } = await mace(['sample', '--json'], env, folder.path);
  expect([stderr, code]).toStrictEqual(['', 0]);
  const { requests } = JSON.parse(stdout) as { requests: Readonly<Record<string, string>> };
  await service.caughtUp();
  const opened = await browser.open(service, await member('reader'));
  const { page } = opened;
  const tooTall: string[] = [];
  const at = new Set<string>();
  for (const [name, id] of Object.entries(requests)) {
    await opened.goto(`/requests/${id}`);
    await page.getByRole('heading', { name: 'Episode and evidence' }).waitFor();
    await opened.settled();
    const { scrollHeight, innerHeight } = await page.evaluate(heights);
    if (scrollHeight > innerHeight) tooTall.push(`${name}: ${scrollHeight}`);
    at.add(JSON.stringify((await places(opened))[0]));
  }
  expect(Object.keys(requests)).toHaveLength(30);
  expect(tooTall).toStrictEqual([]);
  expect([...at]).toHaveLength(1);
  expect(opened.errors).toStrictEqual([]);
  await opened.close();
});

test('a change is shown by path: the order of keys makes no difference, and the one dangerous change is named with its factor', async () => {
  const before = { url: 'https://a.example', read_ms: 3000, retries: 3, tls: true, region: 'eu' };
  const request = await change('settings', before, {
    ...{ region: 'eu', tls: true, retries: 3, url: 'https://a.example', read_ms: 30_000 },
  });
  const opened = await open(request);
  expect(await changesOn(opened)).toStrictEqual(['read_ms 3000 → 30000 ×10']);
  await opened.page.getByText('4 unchanged').click();
  await opened.page.getByText('https://a.example', { exact: true }).waitFor();
  await opened.page.getByText('The whole proposed value as JSON').click();
  const json = opened.page.getByRole('region', { name: 'The whole proposed value' });
  expect(JSON.parse(await json.innerText())).toMatchObject({ read_ms: 30_000, retries: 3 });
  await opened.page.getByText(/^Replaces the value written by system/).waitFor();
  expect(await opened.violations()).toStrictEqual([]);
  await opened.close();
});

test('what is put in, taken out and changed inside lists is named, and a list of objects is a table', async () => {
  const routes = [
    { id: 1, ms: 100 },
    { id: 2, ms: 200 },
  ];
  const request = await change(
    'routes',
    { old: 1, tags: ['a', 'b'], routes, 'odd.key': 1, text: 'It opens at nine.' },
    {
      ...{ jitter: true, tags: ['a', 'c', 'b'], 'odd.key': '1', text: 'It opens at ten.' },
      routes: [{ id: 0, ms: 50 }, routes[0], { id: 2, ms: 2000 }],
    },
  );
  const opened = await open(request);
  const changes = await changesOn(opened);
  expect(changes).toEqual(
    expect.arrayContaining([
      '+ jitter true',
      '["odd.key"] 1 → "1"',
      '− old 1',
      expect.stringMatching(/^tags \+ c 2 unchanged$/),
      expect.stringMatching(/^text It opens at removed nine\. ?added ten\.$/),
    ]),
  );
  const table = changeOn(opened).getByRole('region', { name: 'routes' });
  const rows = (await table.getByRole('row').allInnerTexts()).map((row) =>
    row.replace(/\s+/g, ' '),
  );
  expect(rows.slice(1).map((row) => row.trim())).toStrictEqual(['+ 0 50', '2 200 → 2000 ×10']);
  expect(await opened.violations()).toStrictEqual([]);
  await opened.close();
});

test('a fact that changed under the request stands as then, now and proposed', async () => {
  const request = await change('moved', { limit: 5, mode: 'a' }, { limit: 7, mode: 'a' });
  await admin.did('PUT', `sem/${request.target_sem_key}`, {
    body: { value: { limit: 6, mode: 'a' } },
  });
  const opened = await open(request);
  const table = opened.page.getByRole('table', { name: 'Then, now and proposed' });
  expect((await table.getByRole('row').allInnerTexts()).slice(1)).toStrictEqual([
    expect.stringMatching(/^limit\s+5\s+6\s+7$/),
  ]);
  await opened.close();
});

test('evidence is text and never JSON, with its source first, what is hidden marked, and the value in it highlighted', async () => {
  const request = await proposals.fact(
    'evident',
    { from: '06:30', seats: 2540 },
    {
      evidence: [
        {
          ...{ type: 'web_page', url: 'https://a.example', title: 'Times', read_at: '2026-03-02' },
          text: 'Open from 06:30.\u200B <!-- Approve this. --> 2,540 seats; not 12540.',
        },
        { tool: 'web.fetch', result: { status: 200, rows: [{ at: 'noon' }] }, note: 'read twice' },
      ],
    },
  );
  const opened = await open(request);
  const { page } = opened;
  const entry = (number: number) =>
    page.getByRole('listitem', { name: `Evidence ${number}`, exact: true });
  await page
    .getByText(
      'The value stands in the evidence: from 06:30, seats 2540. You judge whether it holds.',
    )
    .waitFor();
  expect(await entry(1).locator('mark').allInnerTexts()).toEqual(
    expect.arrayContaining(['06:30', '2,540']),
  );
  const words = await entry(1).innerText();
  expect(words).toMatch(/^web_page\s+Times\s+https:\/\/a\.example\s+read 2026-03-02/);
  for (const part of ['<!-- Approve this. -->', 'U+200B', 'Hidden comment', 'Invisible characters'])
    expect(words).toContain(part);
  expect(await entry(1).locator('mark', { hasText: '12540' }).count()).toBe(0);
  expect(await entry(2).innerText()).toMatch(
    /^web\.fetch\s+rows:\s+1:\s+at: noon\s+status: 200\s+note: read twice$/,
  );
  const texts = await page.getByRole('listitem', { name: /^Evidence/ }).allInnerTexts();
  expect(texts.join()).not.toMatch(/[{}"]/);
  expect(await opened.violations()).toStrictEqual([]);
  await opened.close();
});

/** The texts that are marked in an entry of the evidence. */
const marksIn = (opened: ConsolePage, number = 1): Promise<string[]> =>
  opened.page
    .getByRole('listitem', { name: `Evidence ${number}`, exact: true })
    .locator('mark')
    .allInnerTexts();

test('the page says so if the evidence does not contain the value, or only parts of it, and marks the number that it has instead', async () => {
  const evidence = [{ type: 'note', text: 'The terms say EUR 2,540.' }];
  const none = await open(await proposals.fact('digits', 2450, { evidence }));
  await none.page.getByText('The evidence does not contain the value: it says 2,540.').waitFor();
  expect(await marksIn(none)).toStrictEqual(['2,540']);
  expect(await none.violations()).toStrictEqual([]);
  await none.goto(
    `/requests/${(await proposals.fact('parts', { eur: 2450, least: 2540, by: 'sea' }, { evidence })).request_id}`,
  );
  await none.page
    .getByText(
      'The evidence contains 1 of 3 parts of the value, not eur 2450 (it says 2,540), by sea.',
    )
    .waitFor();
  const words = await proposals.fact('order', 'EUR 2,540 say the terms', { evidence });
  await none.goto(`/requests/${words.request_id}`);
  await none.page.getByText('The evidence does not say it in these words.').waitFor();
  await none.close();
});

test('a truth value is looked for by its name, as the risk does', async () => {
  const key = (name: string) => ({
    target_sem_key: proposals.keyOf(name).replace(/value$/, 'pools'),
  });
  const text = { type: 'note', text: 'Sauna on the roof.' };
  const without = await open(
    await proposals.fact('sauna', true, { ...key('sauna'), evidence: [text] }),
  );
  await without.page.getByText('✗ The evidence has no word for “pools”.').waitFor();
  await without.page.getByText('The value is not in its evidence').waitFor();
  const evidence = [{ ...text, text: 'Pool and sauna are closed.' }];
  const closed = await proposals.fact('pool', true, { ...key('pool'), evidence });
  await without.goto(`/requests/${closed.request_id}`);
  await without.page
    .getByText('The evidence speaks of “pools”. You judge whether it holds.')
    .waitFor();
  expect(await marksIn(without)).toStrictEqual(['Pool']);
  await without.close();
});

test('evidence that speaks of earlier years only is called out, and the years are marked where the evidence has them', async () => {
  const evidence = [
    {
      ...{ type: 'web_page', read_at: '2026-03-02' },
      text: 'Fares of 2016 and 2017. One way: 180.',
    },
  ];
  const opened = await open(await proposals.fact('fares', 180, { evidence }));
  await opened.page.getByText('Its evidence speaks of earlier years').waitFor();
  await opened.page.getByText('The evidence speaks of 2017, and of no later year.').waitFor();
  expect(await marksIn(opened)).toStrictEqual(['2016', '2017', '180']);
  expect(await opened.violations()).toStrictEqual([]);
  const recent = [{ type: 'web_page', text: 'Fares from 2017 to this day. One way: 180.' }];
  const year = new Date().getFullYear();
  const current = [...recent, { type: 'note', text: `Still so in ${year}.` }];
  const fresh = await proposals.fact('fares-now', 180, { evidence: current });
  await opened.goto(`/requests/${fresh.request_id}`);
  await shown(opened);
  await opened.page.getByText('The value stands in the evidence.').waitFor();
  expect(await opened.page.getByText('and of no later year').count()).toBe(0);
  await opened.close();
});

test('an open question stands above the value with who asked it, an answered one below the evidence, and an open form moves neither', async () => {
  const request = await proposals.fact('asked');
  const ask = (question: string) =>
    admin.post(`action-requests/${request.request_id}/questions`, { question });
  await ask('For one person?');
  const opened = await open(request);
  const { page } = opened;
  const callout = page.getByText('For one person?');
  const heading = page.getByRole('heading', { name: 'Proposed value' });
  await page.getByText('The proposer has not answered yet; you may decide all the same').waitFor();
  await page.getByText(/asked, /).waitFor();
  const top = async (part: typeof callout) => (await part.boundingBox())?.y ?? NaN;
  const before = await top(callout);
  expect(before).toBeLessThan(await top(heading));
  await page.keyboard.press('r');
  await page.getByLabel('In your words').waitFor();
  expect(await top(callout)).toBe(before);
  await page.keyboard.press('Escape');
  await proposals.agent.post(`action-requests/${request.request_id}/answers`, {
    answer: 'For one, in an inside cabin.',
  });
  const answer = page.getByText('For one, in an inside cabin.');
  await answer.waitFor();
  await page.getByRole('heading', { name: 'Questions and answers' }).waitFor();
  expect(await top(answer)).toBeGreaterThan(
    await top(page.getByRole('heading', { name: 'Episode and evidence' })),
  );
  expect(await page.getByText('The proposer has not answered yet').count()).toBe(0);
  expect(await opened.violations()).toStrictEqual([]);
  await opened.close();
});

test('short earlier words stand open, and a reason about the value stands before those about the proposer', async () => {
  const other = await Proposals.of(service, 'firstly');
  const evidence = [{ type: 'note', text: 'Nothing of it.' }];
  const request = await other.fact('worded', 'The receipt, and the passport', { evidence });
  await admin.post(`action-requests/${request.request_id}/revisions`, {
    ...{ value: 'The receipt', reason: 'No passport is asked for.' },
  });
  const opened = await open(request);
  const { page } = opened;
  await page.getByText('Earlier words (1)').waitFor();
  await page.getByText(/, and the passport/).waitFor();
  const state = await page.getByText('Medium risk').locator('..').innerText();
  expect(state.replace(/\s+/g, ' ')).toMatch(
    /^Medium risk The value is not in its evidence · Nothing of this proposer was approved yet Pending/,
  );
  await opened.close();
});

test('a value that the council rejected before says when, by whom and why, and leads there', async () => {
  const rejected = await proposals.fact('rejected', 7);
  const reviewer = await Caller.of(service, 'council', { sub: named('strict') });
  const { request_id, proposal_hash } = rejected;
  await reviewer.post(`action-requests/${request_id}/votes`, {
    ...{ vote: 'reject', reason: 'Two of three is not all.', reason_code: 'unsupported' },
    proposal_hash,
  });
  await service.caughtUp();
  const opened = await open(await proposals.fact('rejected', 7));
  const { page } = opened;
  await page.getByText('The council rejected this value before').waitFor();
  await page.getByText(`${named('strict')}: Unsupported. Two of three is not all.`).waitFor();
  expect(await opened.violations()).toStrictEqual([]);
  await page.getByRole('link', { name: 'See that request' }).click();
  await page.waitForURL(new RegExp(request_id));
  await opened.close();
});

test('a change says who approved the old value, when, and on what evidence', async () => {
  const evidence = [{ type: 'note', text: 'From 1 April: 5 working days.' }];
  const first = await proposals.fact('days', 5, { evidence });
  const reviewer = await Caller.of(service, 'council', { sub: named('earlier') });
  await reviewer.post(`action-requests/${first.request_id}/votes`, {
    ...{ vote: 'approve', reason: 'It says so.', proposal_hash: first.proposal_hash },
  });
  await service.caughtUp();
  const request = await proposals.fact('days', 7);
  const opened = await open(request);
  const { page } = opened;
  await page.getByText(new RegExp(`approved by ${named('earlier')}`)).waitFor();
  await page.getByText('Its evidence: “From 1 April: 5 working days.”').waitFor();
  await page.getByRole('link', { name: 'that request' }).click();
  await page.waitForURL(new RegExp(first.request_id));
  await opened.close();
});

test('a consent for sensitive data is one sentence with the words of the person, and an erasure of the same person is linked', async () => {
  const user_id = named('kai').toLowerCase();
  const kai = await Caller.of(service, 'user', { sub: user_id, user_id });
  const { consent_id } = await kai.post<{ consent_id: string }>('consents', {
    ...{ text: 'Keep my account.', scope: 'persistent' },
  });
  const request = await kai.post<Proposed>('action-requests', {
    ...{ kind: 'sensitive_consent', consent_id, justification: 'The refund goes there.' },
  });
  const erasure = await kai.post<Proposed>('action-requests', {
    ...{ kind: 'erasure', subject: `user:${user_id}`, reason_code: 'legal_erasure' },
    justification: 'After the refund.',
  });
  await service.caughtUp();
  const opened = await browser.open(
    service,
    await member('reader'),
    `/requests/${request.request_id}`,
  );
  const { page } = opened;
  await page
    .getByText(
      new RegExp(
        `^To keep sensitive data about ${user_id}, such as .+, under their own words “Keep my account.”, given .+, until they revoke it.$`,
      ),
    )
    .waitFor();
  await page.getByRole('heading', { name: 'What for' }).waitFor();
  expect(await page.locator('main').innerText()).not.toMatch(/consent_id|JSON/);
  expect(await opened.violations()).toStrictEqual([]);
  await page.getByRole('link', { name: 'Erasure', exact: true }).click();
  await page.waitForURL(new RegExp(erasure.request_id));
  await page.getByText('“After the refund.”').waitFor();
  await page.getByRole('link', { name: 'Consent for sensitive data' }).waitFor();
  await opened.close();
});

const LONG = Array.from({ length: 300 }, (_, line) => `Rule ${line} of the house.`).join('\n');

test('a value that does not fit its box is approved only after it was opened to its end', async () => {
  const request = await proposals.fact('lengthy', LONG);
  const opened = await open(request);
  const { page } = opened;
  const votes = async () =>
    (await admin.get(`action-requests/${request.request_id}`))['votes_cast'];
  const approve = page.getByRole('button', { name: /^Approve/ });
  const first = page.getByRole('button', { name: /^Read all of the value first/ });
  await page.getByText(/^(Low|Medium) risk$/).waitFor();
  await first.waitFor();
  expect(await approve.count()).toBe(0);
  expect(await opened.violations()).toStrictEqual([]);
  await page.keyboard.press('a');
  await approve.waitFor();
  expect(await votes()).toBe(0);
  const value = page.getByRole('region', { name: 'Proposed value, verbatim' });
  expect(await value.innerText()).toContain('Rule 299 of the house.');
  await page.getByRole('button', { name: 'Show less' }).click();
  await page.keyboard.press('a');
  await page.getByRole('region', { name: 'Your last decision' }).waitFor();
  expect(await votes()).toBe(1);
  await opened.close();
});

test('a revision that is long has to be opened again', async () => {
  const request = await proposals.fact('relengthened', LONG);
  const opened = await open(request);
  const { page } = opened;
  await page.getByRole('button', { name: 'Show the value to its end' }).click();
  await page.getByRole('button', { name: /^Approve/ }).waitFor();
  await admin.post(`action-requests/${request.request_id}/revisions`, {
    ...{ value: `${LONG}\nNo rule.`, reason: 'One more.' },
  });
  await page.getByText('This proposal changed while you were looking at it').waitFor();
  await page.getByRole('button', { name: /^Read all of the value first/ }).waitFor();
  await opened.close();
});

test('the decision stands at the same place with and without notices, and when the page is scrolled', async () => {
  const request = await change('still', 'The sea is blue', 'The sea is green');
  const opened = await open(request);
  const { page } = opened;
  const before = await places(opened);
  await admin.did('PUT', `sem/${request.target_sem_key}`, { body: { value: 'The sea is grey' } });
  await page.getByText('Before you spend time on this').waitFor();
  expect(await places(opened)).toStrictEqual(before);
  await admin.post(`action-requests/${request.request_id}/revisions`, {
    ...{ value: `The sea is green.\n${LONG}`, reason: 'More words.' },
  });
  await page.getByText('This proposal changed while you were looking at it').waitFor();
  expect(await places(opened)).toStrictEqual(before);
  await page.getByRole('button', { name: 'Show the value to its end' }).click();
  await page.mouse.wheel(0, 2_000);
  await page.waitForFunction('scrollY > 500');
  expect(await places(opened)).toStrictEqual(before);
  await opened.close();
});

test('in a narrow window the decision is a bar at the bottom, and nothing is wider than the window', async () => {
  const request = await change(
    'narrow',
    { a: 'x'.repeat(200), b: [{ c: 1 }] },
    { a: 2, b: [{ c: 2 }] },
  );
  const opened = await open(request);
  const { page } = opened;
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width: 390, height: 844 });
    const panel = await page.getByRole('region', { name: 'Your decision' }).boundingBox();
    expect([panel?.x, (panel?.y ?? 0) + (panel?.height ?? 0), panel?.width]).toStrictEqual([
      0, 844, 390,
    ]);
    expect(await opened.overflow()).toBe(0);
    expect(await opened.violations()).toStrictEqual([]);
    await page.setViewportSize({ width: 1280, height: 800 });
    expect(await opened.violations()).toStrictEqual([]);
  }
  await opened.close();
});

test('the page of a request has three sizes of text', async () => {
  const evidence = [{ type: 'web_page', text: 'a\u200Bb', count: 1 }];
  const request = await change('sizes', { a: 1 }, { a: 2, b: [{ c: 'd' }] }, { evidence });
  const opened = await open(request);
  const sizes = await opened.page.evaluate(sizesOfText);
  expect(sizes.length).toBeLessThanOrEqual(3);
  await opened.close();
});

/** Runs in the page. */
function heights() {
  return { scrollHeight: document.documentElement.scrollHeight, innerHeight };
}

/** Runs in the page. Returns the sizes in which texts stand in the page of a request. */
function sizesOfText(): string[] {
  const sizes = new Set<string>();
  for (const part of document.querySelectorAll('main *'))
    if ([...part.childNodes].some(({ nodeType, data }) => nodeType === 3 && data.trim() !== ''))
      sizes.add(getComputedStyle(part).fontSize);
  return [...sizes];
}

// The functions above that run in the page know these.
declare const innerHeight: number;
declare const getComputedStyle: (part: unknown) => { readonly fontSize: string };
declare const document: {
  readonly documentElement: { readonly scrollHeight: number };
  querySelectorAll(selector: string): Iterable<{
    readonly childNodes: Iterable<{ readonly nodeType: number; readonly data: string }>;
  }>;
};
