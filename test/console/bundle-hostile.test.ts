import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { generateKeyPairSync } from 'node:crypto';
import type { Page } from 'playwright-core';
import { canonicalJson } from '#domain/determinism/canonical-json.js';
import { chainHash, CHAIN_START } from '#domain/determinism/hash-chain.js';
import { signed } from '#platform/signing/signature.js';
import { TestService } from '#test/support/service.js';
import { ConsoleBrowser, type ConsolePage } from './support/browser.js';

const HIDDEN = 'a\u001b[32m\u202eb';

let service: TestService;
let browser: ConsoleBrowser;
let opened: ConsolePage;

beforeAll(async () => {
  [service, browser] = await Promise.all([TestService.shared(), ConsoleBrowser.start()]);
  opened = await browser.openSignedOut(service, '/bundle');
});

afterAll(async () => {
  await browser?.stop();
  await service?.stop();
});

/** Opens the page afresh, and chooses a file. */
async function chosen(name: string, text: string): Promise<Page> {
  await opened.goto('/bundle');
  const { page } = opened;
  await page.getByText('1 of this service').waitFor();
  const file = { name, mimeType: 'application/json', buffer: Buffer.from(text) };
  await page.getByLabel('Bundle or receipt').setInputFiles(file);
  return page;
}

async function receiptOf(type: string, stream: string, at: unknown): Promise<string> {
  const metadata = { event_id: 'e', seeded_ts: 's', recorded_at: at, actor: 'a' };
  const event = { stream, number: 0, type, data: {}, metadata };
  const hash = chainHash(CHAIN_START, event as never);
  const { privateKey } = generateKeyPairSync('ed25519');
  const document = {
    ...{ document: 'mace-receipt-2', prev: CHAIN_START },
    event: { ...event, position: '7', metadata: { ...metadata, hash } },
  };
  return JSON.stringify(await signed(document as never, privateKey));
}

test('a receipt and a bundle mark what cannot be seen in their names, and cut long ones', async () => {
  const long = HIDDEN.padEnd(2_000_000, 'x');
  const bundleOf = (stream: string) =>
    `${canonicalJson({ event_count: 1, head_hash: '0', stream })}\n`;
  for (const [name, text] of [
    ['r.json', await receiptOf(HIDDEN, HIDDEN, HIDDEN)],
    ['r.json', await receiptOf('t', long, undefined)],
    ['b.ndjson', bundleOf(HIDDEN)],
    ['b.ndjson', bundleOf(long)],
  ] as const) {
    const page = await chosen(name, text);
    const main = page.getByRole('main');
    await main.getByText('U+202E').first().waitFor();
    const words = (await main.evaluate((at) => (at as { textContent: string }).textContent)) ?? '';
    expect(words.length).toBeLessThan(20_000);
    // The event itself is shown verbatim, with marks as well.
    expect(words).not.toContain('\u202e');
    expect(words).not.toContain('\u001b');
  }
});

test('a file that is larger than a receipt can be is named so, and the console does not fail', async () => {
  const page = await chosen('r.json', await receiptOf('t', 'x'.repeat(9_000_000), 'now'));
  await page.getByText('larger than a receipt can be').waitFor();
  expect(await page.getByText('The console failed').count()).toBe(0);
});
