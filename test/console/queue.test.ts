import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Caller } from '#test/support/caller.js';
import { named } from '#test/support/named.js';
import { TestService } from '#test/support/service.js';
import { ConsoleBrowser, type ConsolePage } from './support/browser.js';
import { Proposals } from './support/proposals.js';

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

const NAMES = Array.from({ length: 14 }, (_, index) => `q${index + 10}`);
const member = (name: string): Promise<string> => service.token('council', { sub: named(name) });
const lines = ({ page }: ConsolePage) => page.locator('ul:has([data-row]) > li');

/** Makes the list answer with a present value of each fact. */
async function withPresent({ page }: ConsolePage, value: unknown): Promise<void> {
  await page.route('**/v1/action-requests?*', async (route) => {
    const response = await route.fetch();
    const body = (await response.json()) as { action_requests: object[] };
    const present = { value, version: 0 };
    const action_requests = body.action_requests.map((row) => ({ ...row, present }));
    await route.fulfill({ response, json: { ...body, action_requests } });
  });
}

test('at 1280 by 800, twelve requests are in sight, and at 390 px nothing is hidden', async () => {
  const proposals = await Proposals.of(service, 'visible');
  const justification = 'The page was read twice, with the same result. '.repeat(6);
  for (const name of NAMES) await proposals.fact(name, `The value of ${name}`, { justification });
  const opened = await browser.open(service, await member('vi'));
  const { page } = opened;
  for (const path of ['/requests', proposals.queue]) {
    await opened.goto(path);
    await lines(opened).nth(11).waitFor();
    await opened.settled();
    expect(await page.evaluate(inSight)).toBeGreaterThanOrEqual(12);
  }
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await opened.overflow()).toBe(0);
  expect(await page.evaluate(cutOff)).toStrictEqual([]);
  expect(await opened.violations()).toStrictEqual([]);
  await opened.close();
});

test('requests for the same fact stand together, and the second says so', async () => {
  const proposals = await Proposals.of(service, 'rivals');
  await proposals.facts('first', 'between');
  await proposals.fact('first', 'Another value');
  const opened = await browser.open(service, await member('ri'), proposals.queue);
  await lines(opened).nth(2).waitFor();
  const [first, second, third] = await lines(opened).allInnerTexts();
  expect(first).toContain('The value of first');
  expect(first).not.toContain('Same fact as above');
  expect(second).toContain('Another value');
  expect(second).toContain('Same fact as above');
  expect(third).toContain('The value of between');
  expect(await opened.violations()).toStrictEqual([]);
  const { page } = opened;
  await page.keyboard.press('Enter');
  await page.getByText('1 of 3', { exact: true }).waitFor();
  await page.keyboard.press('j');
  await page.getByText('2 of 3', { exact: true }).waitFor();
  await page.getByText('Another value').first().waitFor();
  await opened.close();
});

test('a row says in words what is withheld, what is erased, and every reason of a short list', async () => {
  const proposals = await Proposals.of(service, 'worded');
  const user = named('worded-user').toLowerCase();
  await proposals.fact('address', 'ada@example.org');
  const owner = await Caller.of(service, 'user', { sub: user, user_id: user });
  await owner.post('action-requests', {
    ...{ kind: 'erasure', subject: `user:${user}`, reason_code: 'legal_erasure' },
    justification: 'I want to be forgotten.',
  });
  const opened = await browser.open(service, await member('wo'), proposals.queue);
  const row = lines(opened).filter({ hasText: proposals.keyOf('address') });
  await row.getByText('Redacted: email').waitFor();
  const reasons = await row.getByText(/ · /).innerText();
  expect(reasons.split(' · ').length).toBeGreaterThan(1);
  expect(await row.innerText()).not.toContain('{');
  await opened.goto('/requests');
  await opened.page.getByText('reason: a legal duty to erase').waitFor();
  await opened.close();
});

test('a row shows the first change by its path, and the number of the others', async () => {
  const proposals = await Proposals.of(service, 'change');
  await proposals.fact('limits', { a: 1, b: [2, 4], read_ms: 30_000 });
  const opened = await browser.open(service, await member('ch'), '/facts');
  await withPresent(opened, { a: 1, b: [2, 3], read_ms: 3_000 });
  await opened.goto(proposals.queue);
  const row = lines(opened).filter({ hasText: proposals.keyOf('limits') });
  await row.waitFor();
  expect(await row.innerText()).toMatch(/b\[1\] 3 → 4 \+1/);
  await row.getByRole('checkbox').check();
  await opened.page.keyboard.press('R');
  const dialog = opened.page.getByRole('dialog', { name: 'Reject 1 request' });
  await dialog.getByText('read_ms 3000 → 30000').waitFor();
  expect(await opened.violations()).toStrictEqual([]);
  await opened.close();
});

test('requests stand together by proposer or by job, each group under its name and number', async () => {
  const [one, other] = [
    await Proposals.of(service, 'group-one'),
    await Proposals.of(service, 'group-two'),
  ];
  await one.fact('grouped1');
  await other.fact('grouped2');
  await one.fact('grouped3');
  await service.caughtUp();
  const opened = await browser.open(service, await member('gr'), '/requests?text=grouped');
  const { page } = opened;
  const of = async (name: string): Promise<string[]> => {
    await page.getByRole('heading', { name }).waitFor();
    const texts = await lines(opened).allInnerTexts();
    return texts.slice(texts.findIndex((text) => text.includes(name)));
  };
  for (const [choice, name] of [
    ['By proposer', one.proposer],
    ['By job', one.jobSeed],
  ] as const) {
    await page.getByLabel('Group', { exact: true }).selectOption(choice);
    const [heading, first, second] = await of(name);
    expect(heading).toMatch(/2 requests/);
    expect(first).toContain(one.keyOf('grouped1'));
    expect(second).toContain(one.keyOf('grouped3'));
    expect(await opened.violations()).toStrictEqual([]);
  }
  expect(page.url()).toContain('group=job');
  await page.reload();
  await page.getByRole('heading', { name: other.jobSeed }).waitFor();
  expect(opened.errors).toStrictEqual([]);
  await opened.close();
});

/** Runs in the page. Returns how many requests are whole in the window and in the list. */
function inSight(): number {
  const list = document.querySelector('ul:has([data-row])').parentElement.getBoundingClientRect();
  return [...document.querySelectorAll('li:has([data-row])')].filter((row) => {
    const { top, bottom } = row.getBoundingClientRect();
    return top >= list.top && bottom <= list.bottom && bottom <= innerHeight;
  }).length;
}

/** Runs in the page. Returns the texts of the rows that are wider than their places. */
function cutOff(): string[] {
  return [...document.querySelectorAll('li:has([data-row]) :is(a, p, span, time)')]
    .filter(({ className }) => className !== 'visually-hidden')
    .filter(({ scrollWidth, clientWidth }) => clientWidth > 0 && scrollWidth > clientWidth)
    .map(({ textContent }) => textContent);
}

// The functions above that run in the page know these.
interface OnPage {
  readonly className: string;
  readonly textContent: string;
  readonly scrollWidth: number;
  readonly clientWidth: number;
  readonly parentElement: OnPage;
  getBoundingClientRect(): { readonly top: number; readonly bottom: number };
}
declare const innerHeight: number;
declare const document: {
  querySelector(selector: string): OnPage;
  querySelectorAll(selector: string): Iterable<OnPage>;
};
