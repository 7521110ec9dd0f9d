import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Locator } from 'playwright-core';
import { Caller } from '#test/support/caller.js';
import { named } from '#test/support/named.js';
import { TestService } from '#test/support/service.js';
import { ConsoleBrowser, type ConsolePage } from './support/browser.js';

const PREFIX = `world/${named('ship')}/`;
const KEY = `${PREFIX}aurora/port`;
const HOSTILE = `${PREFIX}hostile/text`;
const LONG = `${PREFIX}hostile/long`;
const MANY_KEYS = `${PREFIX}hostile/keys`;
const SCRIPT = '<img src=x onerror="document.title=\'owned\'"><script>alert(1)</script>';
const REVERSED = 'safe\u202Egnp.exe\u2066';

let service: TestService;
let browser: ConsoleBrowser;
let auditor: ConsolePage;
let admin: Caller;
let request: string;
let snapshot: string;
const agentSub = named('agent');

beforeAll(async () => {
  service = await TestService.shared();
  browser = await ConsoleBrowser.start();
  admin = await Caller.of(service, 'admin', { sub: named('admin') });
  const agent = await Caller.of(service, 'agent', { sub: agentSub });
  const council = await Caller.of(service, 'council');
  await admin.did('PUT', `sem/${KEY}`, { body: { value: { city: 'Bergen', berth: 4 } } });
  const started = await agent.post<{ snapshots: { sem_snapshot_id: string } }>('jobs', {
    job_seed: named('job'),
  });
  snapshot = started.snapshots.sem_snapshot_id;
  const { episodic_id } = await agent.post<{ episodic_id: string }>(
    `jobs/${named('job')}/episodes`,
    { summary: 'The ship moved.' },
  );
  const asked = await agent.post<Record<string, string>>('action-requests', {
    episodic_id,
    target_sem_key: KEY,
    value: { city: 'Oslo', berth: 4 },
    justification: 'The captain said so.',
  });
  request = asked['request_id'] ?? '';
  await council.post(`action-requests/${request}/votes`, {
    vote: 'approve',
    reason: 'It is right.',
    proposal_hash: asked['proposal_hash'],
  });
  await admin.did('PUT', `sem/${KEY}`, {
    body: { value: 'Narvik', timestamp: '2020-01-01T00:00:00.000Z' },
  });
  const put = (key: string, value: unknown) => admin.did('PUT', `sem/${key}`, { body: { value } });
  await put(HOSTILE, `${SCRIPT} ${REVERSED}`);
  await put(LONG, 'x'.repeat(16_000));
  await put(MANY_KEYS, Object.fromEntries(Array.from({ length: 1_200 }, (_, n) => [`k${n}`, n])));
  auditor = await browser.open(service, await service.token('auditor'));
});

afterAll(async () => {
  await browser?.stop();
  await service?.stop();
});

const factPath = (key: string, search = ''): string => `/facts/${key}${search}`;

test('facts are found by the beginning of their keys, which the address keeps, and lead to one fact', async () => {
  const { page } = auditor;
  await auditor.goto('/facts');
  await page.getByLabel('Key begins with').fill(PREFIX);
  await page.getByRole('button', { name: 'Show', exact: true }).click();
  await page.getByText('4 facts').waitFor();
  expect(new URL(page.url()).searchParams.get('prefix')).toBe(PREFIX);
  expect(await auditor.violations()).toStrictEqual([]);
  await page.getByRole('link', { name: KEY }).click();
  await page.getByRole('heading', { name: KEY }).waitFor();
});

test('an unknown prefix says what to do, and one action shows all facts again', async () => {
  const { page } = auditor;
  await auditor.goto(`/facts?prefix=world/${named('nothing')}/`);
  await page.getByText('No fact that you may read has a key that begins so').waitFor();
  expect(await auditor.violations()).toStrictEqual([]);
  await page.getByRole('button', { name: 'Show all facts' }).click();
  await page.getByRole('region', { name: 'Facts' }).waitFor();
});

test('a long list draws only the facts in view, and loads the next page before the end is reached', async () => {
  const { page } = auditor;
  const prefix = `world/${named('many')}/`;
  for (let n = 0; n < 130; n += 1)
    await admin.did('PUT', `sem/${prefix}n${String(n).padStart(3, '0')}/v`, { body: { value: n } });
  await auditor.goto(`/facts?prefix=${prefix}`);
  await page.getByText('The first 100 facts').waitFor();
  expect(await page.getByRole('listitem').count()).toBeLessThan(60);
  // The list ignores a key that comes before it is drawn.
  const endUntil = async (shown: Locator): Promise<void> => {
    do {
      await page.getByRole('region', { name: 'Facts' }).focus();
      await page.keyboard.press('End');
    } while (
      !(await shown.waitFor({ timeout: 2_000 }).then(
        () => true,
        () => false,
      ))
    );
  };
  await endUntil(page.getByText('130 facts'));
  await endUntil(page.getByRole('link', { name: `${prefix}n129/v` }));
});

test('the history of a fact shows who wrote what, why, by which request and in which event; a superseded write is shown as such', async () => {
  const { page } = auditor;
  await auditor.goto(factPath(KEY));
  const entries = page.getByRole('list').getByRole('listitem');
  const superseded = entries.filter({ hasText: 'Version 2' });
  await superseded.getByText('superseded at once').waitFor();
  expect(await superseded.innerText()).toContain('Narvik');
  const current = await entries.filter({ hasText: 'Version 1' }).innerText();
  for (const text of [
    ...['the value now', 'Oslo', 'The captain said so.', `agent:${agentSub}`],
    ...[`event 1 of sem-${KEY}`, 'position', 'hash'],
  ])
    expect(current).toContain(text);
  const now = page.getByRole('region', { name: 'Value now' });
  for (const place of [now, entries.filter({ hasText: 'Version 1' })]) {
    await place.getByText('Approved by').first().waitFor();
    expect(await place.innerText()).toMatch(/Approved by\s+\S+ at \d{4}-/);
    const link = place.getByRole('link', { name: `request ${request}` });
    expect(await link.getAttribute('href')).toBe(`/console/requests/${request}`);
  }
  expect(await superseded.innerText()).not.toContain('Approved by');
  expect(await auditor.violations()).toStrictEqual([]);
});

test('a fact is read at a version and at a snapshot, and two versions are compared', async () => {
  const { page } = auditor;
  await auditor.goto(factPath(KEY, '?version=0'));
  await page.getByRole('heading', { name: 'Value at version 0' }).waitFor();
  const value = page.getByRole('figure', { name: 'Value', exact: true });
  expect(await value.innerText()).toContain('Bergen');
  await page.getByRole('button', { name: 'Show the value now' }).click();
  await value.getByText('Oslo').waitFor();
  await page.getByLabel('Read at a version or a snapshot').fill(snapshot);
  await page.getByRole('button', { name: 'Read', exact: true }).click();
  await page.getByRole('heading', { name: 'Value at a snapshot' }).waitFor();
  await value.getByText('Bergen').waitFor();
  expect(new URL(page.url()).searchParams.get('snapshot')).toBe(snapshot);
  await page.getByLabel('From', { exact: true }).selectOption('version 0');
  await page.getByLabel('To', { exact: true }).selectOption('version 1');
  const difference = page.getByRole('region', {
    name: 'Difference between version 0 and version 1',
  });
  expect(await difference.locator('del').innerText()).toContain('Bergen');
  expect(await difference.locator('ins').innerText()).toContain('Oslo');
  await page.getByLabel('Read at a version or a snapshot').fill('yesterday');
  await page.getByRole('button', { name: 'Read', exact: true }).click();
  await page.getByText('Write a version, such as 3').waitFor();
});

test('a deleted fact says so, and keeps its history', async () => {
  const { page } = auditor;
  const key = `${PREFIX}old/port`;
  await admin.did('PUT', `sem/${key}`, { body: { value: 'Hull' } });
  await admin.did('DELETE', `sem/${key}`);
  await auditor.goto(factPath(key));
  await page.getByText('There is no value now').waitFor();
  await page.getByRole('heading', { name: 'Version 1: deleted' }).waitFor();
  await page.getByRole('heading', { name: 'Version 0: written' }).waitFor();
  expect(await auditor.violations()).toStrictEqual([]);
});

test('script, reversed text, long texts and many keys are shown as text and break nothing', async () => {
  // A browser reports each failed request as an error, so this window has answers without failures only.
  const fresh = await browser.open(service, await service.token('auditor'));
  const { page } = fresh;
  await fresh.goto(factPath(HOSTILE));
  const value = page.getByRole('figure', { name: 'Value', exact: true });
  expect(await value.innerText()).toContain(SCRIPT);
  expect(await value.getByText('U+202E').count()).toBe(1);
  expect(await page.title()).toContain(HOSTILE);
  await fresh.goto(factPath(LONG));
  await value.getByRole('button', { name: 'Show all 16,000 characters' }).click();
  expect((await value.innerText()).length).toBeGreaterThan(15_900);
  await fresh.goto(factPath(MANY_KEYS));
  await value.getByText('k1199', { exact: false }).or(value.getByRole('button')).first().waitFor();
  await fresh.goto(`/facts?prefix=${PREFIX}hostile/`);
  await page.getByText('3 facts').waitFor();
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
  expect(await fresh.violations()).toStrictEqual([]);
  expect(fresh.errors).toStrictEqual([]);
  await fresh.close();
});

test('a person sees neither a fact about another person nor a way around it', async () => {
  const key = `user/profile/user_${named('ada')}/editor`;
  const ada = await Caller.of(service, 'user', { sub: named('ada') });
  await ada.did('PUT', `sem/${key}`, { body: { value: 'vi' } });
  const bob = await browser.open(service, await service.token('user', { sub: named('bob') }));
  await bob.goto(factPath(key));
  await bob.page.getByRole('alert').filter({ hasText: 'Trace id' }).first().waitFor();
  expect(await bob.page.getByText('vi', { exact: true }).count()).toBe(0);
  expect(await bob.violations()).toStrictEqual([]);
  await bob.close();
});
