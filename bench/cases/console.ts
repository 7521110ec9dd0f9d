import type { Page } from 'playwright-core';
import { launchChromium } from '#test/support/chromium.js';
import { below, latencies, type Report } from '../harness/report.js';
import { type RunningService, startServiceOn } from '../harness/service.js';
import type { Setting } from '../harness/setting.js';

const OPENINGS = 30;
const TARGET_MS = 1_000;

// The scripts that run in the page know these.
declare const document: { readonly activeElement: { readonly tagName: string } | null };
declare const sessionStorage: { setItem(key: string, value: string): void };

/**
 * Case (console): the start page in Chromium, each time with an empty cache, until its heading is shown and a first
 * key is answered: Tab moves the focus.
 */
export async function consoleStart(setting: Setting): Promise<Report> {
  const service = await startServiceOn(setting);
  const browser = await launchChromium();
  try {
    const sample: number[] = [];
    for (let opening = 0; opening < setting.sized(OPENINGS); opening += 1) {
      const context = await browser.newContext();
      sample.push(await untilFirstKey(await context.newPage(), service));
      await context.close();
    }
    const rows = latencies('the start page until the first key is answered', sample);
    return { rows, targets: [below(rows[0], TARGET_MS)] };
  } finally {
    await browser.close();
    await service.stop();
  }
}

async function untilFirstKey(page: Page, { url, token }: RunningService): Promise<number> {
  await page.addInitScript((stored) => sessionStorage.setItem('mace.session', stored), token);
  const began = performance.now();
  await page.goto(`${url}/console/`, { waitUntil: 'commit' });
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.keyboard.press('Tab');
  const focused = await page.evaluate(() => document.activeElement?.tagName);
  if (focused !== 'A') throw new Error(`Tab moved the focus to ${focused}`);
  return performance.now() - began;
}
