import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { setTimeout as delay } from 'node:timers/promises';
import { MaceClient } from '#client/index.js';
import { Caller } from '#test/support/caller.js';
import { named } from '#test/support/named.js';
import { aLog } from '#test/support/reflective-logs.js';
import { TestService } from '#test/support/service.js';
import { ConsoleBrowser, type ConsolePage } from './support/browser.js';

const ADA = named('ada');
const TALK = named('talk');
const QUERY = named('query');

let service: TestService;
let browser: ConsoleBrowser;
let auditor: ConsolePage;
/** A whole second at which each record had its first text. */
let then: string;

beforeAll(async () => {
  service = await TestService.shared();
  browser = await ConsoleBrowser.start();
  const token = await service.token('agent', { sub: named('agent'), user_id: ADA });
  const mace = new MaceClient({ baseUrl: service.url, token });
  const write = async (text: string): Promise<void> => {
    await mace.remember(`I always prefer ${text}.`);
    await mace.notes.put(['trips'], 'oslo', text);
    await mace.conversation(TALK).append([text]);
    await mace.threads.putCheckpoint({
      ...{ thread_id: TALK, checkpoint_id: text, checkpoint: {}, metadata: { text } },
      ...{ channel_versions: { messages: text }, channel_values: { messages: [text] } },
    });
  };
  await write('tea');
  const time = Math.ceil(Date.now() / 1_000) * 1_000;
  await delay(time - Date.now() + 5);
  then = new Date(time).toISOString();
  await write('milk');
  const poster = await Caller.of(service, 'agent', { sub: named('poster') });
  await poster.post('reflective-logs', aLog({ query_id: QUERY, final_answer: 'Paris' }));
  await service.caughtUp();
  auditor = await browser.open(service, await service.token('auditor'));
});

afterAll(async () => {
  await browser?.stop();
  await service?.stop();
});

const table = () => auditor.page.getByRole('region', { name: /^Table of/ });
const open = async (path: string): Promise<void> => {
  await auditor.goto(path);
  await auditor.settled();
};

test('the memories of a person are listed now and then, and one opens with its JSON behind', async () => {
  const { page } = auditor;
  await auditor.goto('/');
  await page.keyboard.press('g');
  await page.keyboard.press('m');
  await page.getByRole('heading', { level: 1, name: 'Memories' }).waitFor();
  await page.getByLabel('Person').fill(ADA);
  await page.getByRole('button', { name: 'Show', exact: true }).click();
  await table().waitFor();
  expect(await page.getByRole('rowheader').count()).toBe(2);
  expect(await auditor.violations()).toStrictEqual([]);
  await open(`/memory?owner=${ADA}&moment=${then}`);
  await table().waitFor();
  expect(await page.getByRole('rowheader').count()).toBe(1);
  await page.getByRole('rowheader').getByRole('link').click();
  await page.getByRole('heading', { name: 'Then' }).waitFor();
  await page.getByText('JSON', { exact: true }).click();
  await page.getByRole('region', { name: 'JSON of the record' }).getByText('REDACTED').waitFor();
  expect(await auditor.violations()).toStrictEqual([]);
});

test.each([
  ['notes', 'trips / oslo', 'milk', 'tea'],
  ['threads', `${TALK} / tea`, 'messages', undefined],
] as const)(
  '%s of an owner are listed, and one opens, now and then',
  async (kind, title, now, past) => {
    const { page } = auditor;
    await open(`/memory/${kind}?owner=user:${ADA}`);
    expect(await auditor.violations()).toStrictEqual([]);
    await table().getByRole('link', { name: title }).click();
    await page.getByRole('heading', { name: 'Now' }).waitFor();
    await page.getByRole('main').getByText(now).first().waitFor();
    expect(await auditor.violations()).toStrictEqual([]);
    const place = new URL(page.url());
    place.searchParams.set('moment', then);
    await open(place.pathname.replace('/console', '') + place.search);
    if (past !== undefined) await page.getByRole('main').getByText(past).first().waitFor();
    await page.getByRole('heading', { name: 'Then' }).waitFor();
  },
);

test('a conversation is found by its owner and its id, and its stream is saved as a bundle', async () => {
  const { page } = auditor;
  await open('/memory/conversations');
  expect(await auditor.violations()).toStrictEqual([]);
  await page.getByLabel('Owner').fill(`user:${ADA}`);
  await page.getByLabel('Id').fill(TALK);
  await page.getByRole('button', { name: 'Show', exact: true }).click();
  await page.getByText(/milk/).first().waitFor();
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export bundle' }).click();
  expect((await saved).suggestedFilename()).toBe(`conversations-${TALK}.ndjson`);
  expect(await auditor.violations()).toStrictEqual([]);
});

test('ReflectiveLogs are listed, and one opens', async () => {
  const { page } = auditor;
  await open('/memory/logs');
  const link = table().getByRole('link', { name: QUERY });
  const more = page.getByRole('button', { name: 'Show more' });
  // The last page of the list has no button any more.
  while (!(await link.isVisible())) await Promise.race([link.waitFor(), more.click()]);
  await link.click();
  await page.getByRole('main').getByText('Paris').first().waitFor();
  expect(await auditor.violations()).toStrictEqual([]);
  // The SDK asks again while a read model is behind; the browser notes each such answer.
  const errors = auditor.errors.filter((text) => !text.startsWith('Failed to load resource'));
  expect(errors).toStrictEqual([]);
});
