import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { canonicalSize } from '#domain/determinism/canonical-json.js';
import type { Json } from '#domain/json.js';
import { Caller } from '#test/support/caller.js';
import { named } from '#test/support/named.js';
import { TestService } from '#test/support/service.js';
import { ConsoleBrowser, type ConsolePage } from './support/browser.js';

const KEYS = 10_000;
const withKeys = (count: number): Json =>
  Object.fromEntries(Array.from({ length: count }, (_, number) => [`k${number}`, number]));

/** The object with the most keys that a fact and an entry of WM may hold: 16 KB (SPEC S2, J2). */
function mostKeys(bytes: number): Json {
  let count = 1;
  while (canonicalSize(withKeys(count + 1)) <= bytes) count += 1;
  return withKeys(count);
}

const MANY_KEYS = mostKeys(16 * 1024);
/** Characters that cannot be seen, each of which is shown as a mark of its own. */
const INVISIBLE = '\u200B'.repeat(5_000);
const PAYLOAD = { text: 'x'.repeat(64 * 1024), keys: withKeys(KEYS) };

describe('The largest values that the service takes', () => {
  let service: TestService;
  let browser: ConsoleBrowser;
  let auditor: ConsolePage;
  let episode: string;
  const prefix = `world/${named('large')}/`;
  const keysFact = `${prefix}keys/value`;
  const textFact = `${prefix}text/value`;
  const job = named('large-job');

  /** Returns how many elements and lines the page lays out. */
  const laidOut = ({ page }: ConsolePage) =>
    page.evaluate(() => ({
      elements: document.querySelectorAll('*').length,
      lines: document.body.innerText.split('\n').length,
    }));

  /** Asserts that the page shows the beginning of a value alone, and all of it only when the reader asks. */
  async function showsBeginning(characters: RegExp): Promise<void> {
    const { page } = auditor;
    const all = page.getByRole('button', { name: characters }).first();
    await all.waitFor();
    const { elements, lines } = await laidOut(auditor);
    expect([elements < 2_000, lines < 2_000]).toStrictEqual([true, true]);
    expect(await auditor.violations()).toStrictEqual([]);
    await all.press('Enter');
    const less = page.getByRole('button', { name: 'Show less' }).first();
    // A key still reaches the page when all of the value is laid out.
    await less.press('Enter');
    await all.waitFor();
    expect((await laidOut(auditor)).elements).toBeLessThan(2_000);
  }

  beforeAll(async () => {
    service = await TestService.shared();
    browser = await ConsoleBrowser.start();
    const admin = await Caller.of(service, 'admin');
    const agent = await Caller.of(service, 'agent');
    await admin.did('PUT', `sem/${keysFact}`, { body: { value: MANY_KEYS } });
    await admin.did('PUT', `sem/${textFact}`, { body: { value: INVISIBLE } });
    await agent.post('jobs', { job_seed: job });
    await agent.post(`jobs/${job}/wm`, { type: 'fact', value: MANY_KEYS });
    ({ episodic_id: episode } = await agent.post<{ episodic_id: string }>(`jobs/${job}/episodes`, {
      ...{ summary: 'A large one', payload: PAYLOAD },
    }));
    await agent.post(`jobs/${job}/ticks`);
    auditor = await browser.open(service, await service.token('auditor'));
  });
  afterAll(async () => {
    await browser?.stop();
    await service?.stop();
  });

  it('a fact of more than a thousand keys, and one of thousands of invisible characters, are shown from their beginning', async () => {
    expect(Object.keys(MANY_KEYS as object).length).toBeGreaterThan(1_000);
    for (const key of [keysFact, textFact]) {
      await auditor.goto(`/facts/${key}`);
      await showsBeginning(/^Show all [\d,]+ characters$/);
    }
    await auditor.goto(`/facts/${textFact}`);
    const value = auditor.page.getByRole('figure', { name: 'Value', exact: true });
    await value.getByText('U+200B × 4,000').waitFor();
    await auditor.goto(`/facts?prefix=${prefix}`);
    await auditor.page.getByText('2 facts').waitFor();
    expect((await laidOut(auditor)).elements).toBeLessThan(2_000);
    expect(await auditor.violations()).toStrictEqual([]);
  });

  it('the page about where they came from shows an episode of 10,000 keys and 64 KB of text', async () => {
    for (const asked of [`kind=fact&id=${keysFact}`, `kind=episode&id=${episode}`]) {
      await auditor.goto(`/why?${asked}`);
      await showsBeginning(/^Show all [\d,]+ characters$/);
    }
    const shown = auditor.page.getByRole('figure', { name: 'The episode' });
    await shown.getByRole('button').press('Enter');
    expect(await shown.innerText()).toContain(`"k${KEYS - 1}": ${KEYS - 1}`);
  });

  it('a job with such an entry and such an episode is moved through by keyboard', async () => {
    const { page } = auditor;
    await page.setViewportSize({ width: 1500, height: 900 });
    for (const number of [1, 2]) {
      await auditor.goto(`/jobs/${job}?at=${number}`);
      await page.getByRole('heading', { name: `State after event ${number}` }).waitFor();
      await showsBeginning(/^Show all [\d,]+ characters$/);
    }
    const json = page.getByRole('figure', { name: 'Event as JSON' });
    await json.getByRole('button').press('Enter');
    await page.keyboard.press('ArrowRight');
    await page.getByRole('heading', { name: 'State after event 3' }).waitFor();
    await page.keyboard.press('ArrowLeft');
    await page.getByRole('heading', { name: 'State after event 2' }).waitFor();
    await page.getByRole('button', { name: 'Plain' }).press('Enter');
    await page.getByRole('figure', { name: 'Event as plain text' }).waitFor();
    expect((await laidOut(auditor)).elements).toBeLessThan(2_000);
    await page.keyboard.press('/');
    await page.keyboard.type('k9999');
    await page.keyboard.press('Enter');
    await page.getByText('1 event', { exact: true }).waitFor();
    expect(await auditor.violations()).toStrictEqual([]);
    expect(auditor.errors).toStrictEqual([]);
  });
});

// The functions above that run in the page know these.
declare const document: {
  querySelectorAll(selector: string): { readonly length: number };
  readonly body: { readonly innerText: string };
};
