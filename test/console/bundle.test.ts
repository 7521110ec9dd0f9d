import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { MaceClient } from '#client/mace-client.js';
import { canonicalJson } from '#domain/determinism/canonical-json.js';
import { Caller } from '#test/support/caller.js';
import { named } from '#test/support/named.js';
import { TestService } from '#test/support/service.js';
import { ConsoleBrowser, type ConsolePage } from './support/browser.js';
import { Proposals } from './support/proposals.js';

const SEED = named('exported');
const NDJSON = 'application/x-ndjson';

let service: TestService;
let browser: ConsoleBrowser;
/** Nobody is signed in: an auditor may have nothing but the file. */
let opened: ConsolePage;
let lines: readonly string[];

beforeAll(async () => {
  [service, browser] = await Promise.all([TestService.shared(), ConsoleBrowser.start()]);
  const agent = new MaceClient({ baseUrl: service.url, token: await service.token(['agent']) });
  await agent.jobs.start({ job_seed: SEED, goal: 'Colours' });
  await agent.job(SEED).batch([
    { op: 'wm_insert', type: 'fact', value: 'cerulean' },
    { op: 'wm_reference', wm_id: `wm:${SEED}:1` },
    { op: 'wm_reference', wm_id: `wm:${SEED}:1` },
    { op: 'wm_insert', type: 'fact', value: 'Write to ana.miller@example.com' },
    { op: 'tick', count: 2 },
  ]);
  await agent.job(SEED).end();
  const exported: string[] = [];
  for await (const line of agent.job(SEED).bundle()) exported.push(line);
  lines = exported;
  opened = await browser.openSignedOut(service, '/bundle');
});

afterAll(async () => {
  await browser?.stop();
  await service?.stop();
});

const fileOf = (content: readonly string[], name = 'job.ndjson') => ({
  ...{ name, mimeType: NDJSON },
  buffer: Buffer.from(`${content.join('\n')}\n`),
});

/** Opens the page afresh, and chooses a bundle. */
async function chosen(content: readonly string[]): Promise<Page> {
  await opened.goto('/bundle');
  const { page } = opened;
  await page.getByText('1 of this service').waitFor();
  await page.getByLabel('Bundle or receipt').setInputFiles(fileOf(content));
  return page;
}

/** Drops a file on the page. */
async function drop(page: Page, name: string, text: string): Promise<void> {
  const dataTransfer = await page.evaluateHandle(
    ([name_, text_]) => {
      const data = new DataTransfer();
      data.items.add(new File([text_], name_));
      return data;
    },
    [name, text] as const,
  );
  await page.dispatchEvent('main', 'drop', { dataTransfer });
}

/** Changes a line without its hash. */
const edited = (line: string): string => line.replace('"cerulean"', '"crimson"');

test('a file of mace at is verified offline and shows the values of then, and a changed one shows nothing', async () => {
  const admin = await Caller.of(service, 'admin');
  const key = `world/${named('then')}/tower/height`;
  await admin.did('PUT', `sem/${key}`, { body: { value: 'three hundred' } });
  await delay(5);
  const at = new Date().toISOString();
  await delay(5);
  await admin.did('PUT', `sem/${key}`, { body: { value: 'three hundred and ten' } });
  const auditor = new MaceClient({ baseUrl: service.url, token: await service.token(['auditor']) });
  const file: string[] = [];
  for await (const line of auditor.momentFile({ at, prefix: key })) file.push(line);
  const page = await chosen(file);
  await page.getByText('✓ Signed by a key that you trust').waitFor();
  await page.getByRole('cell', { name: 'three hundred', exact: true }).waitFor();
  expect(await page.getByText('three hundred and ten').count()).toBe(0);
  expect(await opened.violations()).toStrictEqual([]);
  const changed = await chosen(file.map((line) => line.replace('three hundred', 'four hundred')));
  await changed.getByText('✗ The file is broken').waitFor();
  expect(await changed.getByText('four hundred').count()).toBe(0);
  const later = await chosen(file.with(0, file[0]!.replace('mace-moment-1', 'mace-moment-2')));
  await later.getByText('○ The file was not checked').waitFor();
  for (const [line, title] of [
    ['{"events":1,"kind":"log_checkpoint"}', 'The file is a checkpoint of the log'],
    ['{"kind":"replay_report","job_seed":"a"}', 'The file has the report of a replay'],
    ['{"kind":"mace_backup","version":1}', 'The file is the list of a backup’s files'],
    ['{"messages":[{"role":"user","content":"Hello"}]}', 'The file has recorded runs'],
  ] as const) {
    const other = await chosen([line]);
    await other.getByText(title).waitFor();
    expect(await other.getByText('broken').count()).toBe(0);
  }
});

describe('a bundle', () => {
  test('that is dropped on the page is verified offline, without a request, and shows the same timeline', async () => {
    const { page } = opened;
    expect(await opened.violations()).toStrictEqual([]);
    await page.getByText('1 of this service').waitFor();
    await page.context().setOffline(true);
    const requests: string[] = [];
    page.on('request', (request) => requests.push(request.url()));
    await drop(page, 'dropped.ndjson', `${lines.join('\n')}\n`);
    await page.getByText('✓ Signed by a key that you trust').waitFor();
    await page.getByText('✓ Identical').waitFor();
    await page.getByText('dropped.ndjson').waitFor();
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowRight');
    await page.getByRole('heading', { name: 'State after event 1 ' }).waitFor();
    expect(await page.locator('[aria-current="step"]').innerText()).toMatch(/fact: cerulean/);
    await page.keyboard.press('End');
    await page.getByText(`The job was summed up`).first().waitFor();
    await page.getByRole('searchbox').fill('kind:outcome actor:a');
    await page.keyboard.press('Enter');
    await page.locator('output').filter({ hasText: 'events' }).waitFor();
    await page.getByRole('tab', { name: 'Event in detail' }).click();
    await page.getByRole('button', { name: 'Plain', exact: true }).click();
    await page.getByText(`stream: job-${SEED}`).waitFor();
    // The browser itself asks for the icon of its tab when the address changes.
    expect(requests.filter((url) => !url.endsWith('/mark.svg'))).toStrictEqual([]);
    await page.context().setOffline(false);
    expect(await opened.violations()).toStrictEqual([]);
    expect(opened.errors.filter((text) => !text.includes('INTERNET_DISCONNECTED'))).toStrictEqual(
      [],
    );
  });

  test('shows personal data as sealed', async () => {
    const page = await chosen(lines);
    await page
      .getByText(/\[sealed: \w+\]/)
      .first()
      .waitFor();
  });

  test('that was changed, cut, reordered or added to is named with its line', async () => {
    const [header = '', first = '', second = '', ...rest] = lines;
    const cases: readonly [readonly string[], RegExp, RegExp][] = [
      [lines.map(edited), /broken at line 3/, /A line was changed\. \(line 3, event 1\)/],
      [[header, second, first, ...rest], /broken at line 3/, /A line was moved\./],
      [[header, first, ...rest], /The bundle is broken/, /An event is missing\. \(event 1\)/],
      [lines.slice(0, -1), /The bundle is broken/, /An event is missing\./],
      [[header, first, first, second, ...rest], /broken at line 3/, /A line was added\./],
      [lines.with(1, first.replace('{', '{ ')), /broken at line 2/, /written anew/],
      [['no bundle at all'], /broken at line 1/, /The file is not a bundle/],
    ];
    for (const [content, title, words] of cases) {
      const page = await chosen(content);
      const alert = page.getByRole('alert').filter({ hasText: words });
      await alert.waitFor();
      expect(await alert.innerText()).toMatch(title);
      expect(await page.getByText('✓').count()).toBe(0);
    }
    expect(await opened.violations()).toStrictEqual([]);
  });

  test('that is broken shows no state from there on, which is a finding and not a failure of the console', async () => {
    const page = await chosen(lines.map(edited));
    await page.getByText('✗ No state is shown from event 1 on').waitFor();
    expect(await page.getByText('The console failed').count()).toBe(0);
    await page.getByRole('button', { name: 'Go to the last event before it' }).click();
    await page.getByRole('heading', { name: /^State after event 0/ }).waitFor();
    expect(await opened.violations()).toStrictEqual([]);
  });

  test('whose first line was changed after it was signed has a wrong signature', async () => {
    const [header = '', ...events] = lines;
    const { signature } = JSON.parse(header) as { signature: string };
    const forged = header.replace(
      signature,
      signature.replace(/^../, (two) => (two === '00' ? '01' : '00')),
    );
    const page = await chosen([forged, ...events]);
    await page.getByText('✗ The signature is wrong').waitFor();
    await page.getByText('Identical, but its origin is not proven').waitFor();
    expect(await page.getByText('✓').count()).toBe(0);
  });

  test('without a signature, or by a key that the reader does not trust, is not green', async () => {
    const [header = '', ...events] = lines;
    const { stream, event_count, head_hash } = JSON.parse(header) as Record<string, string>;
    let page = await chosen([canonicalJson({ stream, event_count, head_hash }), ...events]);
    await page.getByText('△ Not signed').waitFor();
    await page.route('**/.well-known/jwks.json', (route) => route.fulfill({ json: { keys: [] } }));
    await opened.goto('/bundle');
    ({ page } = opened);
    await page.getByLabel('Bundle or receipt').setInputFiles(fileOf(lines));
    await page.getByText('by a key that is not among your trusted keys').waitFor();
    await page.getByText('Identical, but its origin is not proven').waitFor();
    expect(await page.getByText('✓').count()).toBe(0);
    expect(await opened.violations()).toStrictEqual([]);
  });

  test('is trusted by a key that the reader pastes, chooses as a file or drops', async () => {
    const { page } = opened;
    const keys = await (await fetch(`${service.url}/.well-known/jwks.json`)).text();
    await page.getByText('Trusted keys:').click();
    await page.getByLabel('Keys of another service').fill('no key');
    await page.getByText('This is no Ed25519 key').waitFor();
    await page.getByLabel('Keys of another service').fill(keys);
    await page.getByText('✓ Signed by a key that you trust').waitFor();
    await page.getByLabel('Keys of another service').fill('');
    await page.getByText('by a key that is not among your trusted keys').waitFor();
    const file = { name: 'keys.json', mimeType: 'application/json', buffer: Buffer.from(keys) };
    await page.getByLabel('Key file').setInputFiles(file);
    await page.getByText('✓ Signed by a key that you trust').waitFor();
    await page.getByLabel('Keys of another service').fill('');
    await page.getByText('by a key that is not among your trusted keys').waitFor();
    await drop(page, 'dropped.json', keys);
    await page.getByText('The keys of dropped.json are trusted now.').waitFor();
    await page.getByText('✓ Signed by a key that you trust').waitFor();
    await page.unroute('**/.well-known/jwks.json');
  });

  test('that the page of a job exports is the file that the service signs', async () => {
    const auditor = await browser.open(service, await service.token(['auditor']), `/jobs/${SEED}`);
    const download = auditor.page.waitForEvent('download');
    await auditor.page.getByRole('button', { name: 'Export bundle' }).click();
    const path = await (await download).path();
    const saved = readFileSync(path, 'utf8').trimEnd().split('\n');
    expect(saved.slice(1)).toStrictEqual(lines.slice(1));
    expect((await download).suggestedFilename()).toBe(`${SEED}.ndjson`);
    await auditor.close();
  });
});

describe('a receipt', () => {
  let receipt: string;

  beforeAll(async () => {
    const { request_id, proposal_hash } = await (await Proposals.of(service, 'receipt')).fact('r');
    const council = await Caller.of(service, 'council', { sub: named('member') });
    const voted = await council.post<{ receipt: { number: number } }>(
      `action-requests/${request_id}/votes`,
      { vote: 'reject', reason: 'It is not so.', proposal_hash },
    );
    const path = `action-requests/${request_id}/receipts/${voted.receipt.number}`;
    receipt = JSON.stringify(await council.get(path), null, 2);
  });

  /** Opens the page afresh, and drops a receipt on it. */
  async function dropped(text: string): Promise<Page> {
    await opened.goto('/bundle');
    await opened.page.getByText('1 of this service').waitFor();
    await drop(opened.page, 'receipt.json', text);
    return opened.page;
  }

  test('that is dropped on the page is verified there, with its event verbatim', async () => {
    const page = await dropped(receipt);
    await page.getByText('✓ Signed by a key that you trust').waitFor();
    await page.getByText('vote_cast', { exact: true }).waitFor();
    const event = page.getByRole('region', { name: 'The event, verbatim' });
    expect(await event.innerText()).toContain('It is not so.');
    await page.setViewportSize({ width: 400, height: 800 });
    expect(await opened.overflow()).toBe(0);
    expect(await opened.violations()).toStrictEqual([]);
  });

  test('of an unredacted read says who read what, and why', async () => {
    const admin = await Caller.of(service, 'admin', { sub: named('reader') });
    await admin.get(`jobs/${SEED}?unredacted=true`, { reason: 'A question of the person' });
    const { accesses } = await admin.get<{ accesses: { event: { position: string } }[] }>(
      `oversight/accesses?sub=${named('reader')}`,
    );
    const path = `oversight/accesses/${accesses[0]!.event.position}/receipt`;
    const page = await dropped(JSON.stringify(await admin.get(path)));
    await page.getByText('✓ Signed by a key that you trust').waitFor();
    const facts = await page.getByRole('main').locator('dl').innerText();
    for (const words of [`job-${SEED}`, named('reader'), 'A question of the person'])
      expect(facts).toContain(words);
    expect(facts).not.toContain('Request');
    expect(await opened.violations()).toStrictEqual([]);
  });

  test('that was changed or cut off is broken, and nothing of it is shown', async () => {
    for (const [text, words] of [
      [receipt.replace('It is not so.', 'It is so.'), /The event was changed/],
      [receipt.replace(/"position": "\d+"/, '"position": "1"'), /changed after it was signed/],
      [receipt.slice(0, -40), /cut off/],
    ] as const) {
      const page = await dropped(text);
      await page.getByRole('alert').filter({ hasText: words }).waitFor();
      expect(await page.getByText('✓').count()).toBe(0);
      expect(await page.getByText('vote_cast').count()).toBe(0);
    }
  });

  test('by a key that the reader does not trust is not green', async () => {
    const { page } = opened;
    await page.route('**/.well-known/jwks.json', (route) => route.fulfill({ json: { keys: [] } }));
    await opened.goto('/bundle');
    await drop(page, 'receipt.json', receipt);
    await page.getByText('by a key that is not among your trusted keys').waitFor();
    expect(await page.getByText('✓').count()).toBe(0);
    await page.unroute('**/.well-known/jwks.json');
  });
});

// The functions above that run in the page know these.
declare const DataTransfer: new () => { readonly items: { add(file: unknown): void } };
declare const File: new (parts: readonly string[], name: string) => unknown;
