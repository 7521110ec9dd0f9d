import type { Page } from 'playwright-core';
import type { JobCommand } from '#domain/job/commands.js';
import { insertOf, jobStore, nextIdentity, startOf } from '../harness/jobs.js';
import { below, latencies, percentile, type Report, type Row } from '../harness/report.js';
import { startServiceOn, type RunningService } from '../harness/service.js';
import type { Setting } from '../harness/setting.js';
import { launchChromium } from '#test/support/chromium.js';

const SEED = 'very-long-job';
const JUMPS = 100;
const SCROLLS = 120;
/** Repeats of the pattern in one append. */
const TOGETHER = 40;

/**
 * The replay of a job of 100,000 events in headless Chromium: how long a jump of the cursor takes until the state, the
 * difference and the list show it, and how long the list has no row in view while it is scrolled.
 */
export async function consoleReplay(setting: Setting): Promise<Report> {
  const last = await recordJob(setting, setting.sized(100_000));
  const service = await startServiceOn(setting);
  const browser = await launchChromium();
  try {
    const page = await (
      await browser.newContext({ viewport: { width: 1500, height: 900 } })
    ).newPage();
    const { opening, firstRows, longest } = await opened(page, service, last);
    const jumps = await jumpTimes(page, last);
    const { blank, wordless } = await scrolled(page);
    const search = await searchTime(page);
    const longestJump = ms('a jump of the cursor, the longest of 100', Math.max(...jumps));
    const longestBlank = ms('scrolling, the longest time without rows', Math.max(0, ...blank));
    return {
      rows: [
        ms('opened for the first time, until the first rows are shown', firstRows),
        ms('opened for the first time, until the state is shown', opening),
        ms('opened, the longest piece of work on the page’s thread', longest),
        ...latencies('a jump of the cursor', jumps),
        longestJump,
        ms('a first search for a text, until its matches are counted', search),
        longestBlank,
        ms('scrolling, p99 of the time until rows have their words', percentile(wordless, 0.99)),
        ms('scrolling, the longest time until rows have their words', Math.max(0, ...wordless)),
      ],
      targets: [below(longestJump, 200), below(longestBlank, 100)],
    };
  } finally {
    await browser.close();
    await service.stop();
  }
}

const ms = (name: string, value: number): Row => ({ name, value, unit: 'ms' });

/** Records inserts, uses and ticks as an agent makes them. Returns the number of the last event. */
async function recordJob({ eventStore }: Setting, size: number): Promise<number> {
  const store = jobStore(eventStore);
  const stream = `job-${SEED}`;
  let { version } = await store.execute(stream, [startOf(SEED)], nextIdentity());
  for (let entry = 1; version < size - 1;) {
    const commands: JobCommand[] = [];
    for (let repeat = 0; repeat < TOGETHER; repeat += 1, entry += 3) {
      const use: JobCommand = { op: 'wm_reference', wm_id: `wm:${SEED}:${entry}` };
      commands.push(insertOf(entry, 3), insertOf(entry + 1, 3), insertOf(entry + 2, 3));
      commands.push({ op: 'tick' }, use, use, { op: 'tick' });
    }
    ({ version } = await store.execute(stream, commands, nextIdentity()));
  }
  return version;
}

interface Opening {
  readonly opening: number;
  readonly firstRows: number;
  /** Work of at most 50 ms is not listed by the browser, and counts as 0. */
  readonly longest: number;
}

async function opened(page: Page, { url, token }: RunningService, last: number): Promise<Opening> {
  await page.addInitScript((stored) => sessionStorage.setItem('mace.session', stored), token);
  await page.addInitScript(LIST_LONG_TASKS);
  const began = performance.now();
  await page.goto(`${url}/console/jobs/${SEED}?at=${Math.floor(last / 2)}`);
  await page.locator('li [data-event] bdi').first().waitFor({ timeout: 60_000 });
  const firstRows = performance.now() - began;
  await page.getByRole('heading', { name: /^State after event/ }).waitFor({ timeout: 60_000 });
  const opening = performance.now() - began;
  return { opening, firstRows, longest: await page.evaluate<number>(LONGEST_TASK) };
}

const LIST_LONG_TASKS = `
  globalThis.longTasks = [];
  const list = (entries) => longTasks.push(...entries.getEntries().map(({ duration }) => duration));
  new PerformanceObserver(list).observe({ type: 'longtask', buffered: true });
`;
const LONGEST_TASK = 'Math.max(0, ...longTasks)';

/** Moves the cursor to places all over the job, and measures in the page until everything shows the place. */
async function jumpTimes(page: Page, last: number): Promise<number[]> {
  const times: number[] = [];
  for (let jump = 1; jump <= JUMPS; jump += 1) {
    // Multiples of the golden ratio visit every part of the job, and no place twice.
    const to = Math.floor(((jump * 0.618_033_988_7) % 1) * last);
    times.push(await page.evaluate(JUMP, to));
  }
  return times;
}

const JUMP = async (to: number): Promise<number> => {
  const slider = document.querySelector('input[type=range]') as Slider;
  // React overrides the element's own `value` property. The setter of the prototype changes it, so that React notices
  // the change.
  const property = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(slider), 'value');
  const heading = `State after event ${to.toLocaleString('en')} `;
  const isShown = (): boolean => {
    const state = document.querySelector('#state')?.textContent ?? '';
    const event = document.querySelector('#event')?.textContent ?? '';
    const row = document.querySelector('[aria-current=step]')?.getAttribute('data-event');
    return (
      state.startsWith(heading) &&
      event.startsWith(`Event ${to.toLocaleString('en')} `) &&
      row === String(to)
    );
  };
  const began = performance.now();
  property?.set?.call(slider, String(to));
  slider.dispatchEvent(new Event('input', { bubbles: true }));
  while (!isShown()) await new Promise((resolve) => requestAnimationFrame(resolve));
  return performance.now() - began;
};

/** Searches for a text that nobody has searched for yet. */
async function searchTime(page: Page): Promise<number> {
  await page.getByRole('searchbox').fill('"observation 77"');
  const began = performance.now();
  await page.getByRole('searchbox').press('Enter');
  await page.locator('output').filter({ hasText: /\d/ }).waitFor({ timeout: 60_000 });
  const time = performance.now() - began;
  await page.getByRole('button', { name: 'Show all events' }).click();
  await page.locator('output').waitFor({ state: 'detached' });
  return time;
}

/** Scrolls through the list, and returns how long no row was in view, and how long rows had no words, in ms. */
const scrolled = (page: Page): Promise<{ blank: number[]; wordless: number[] }> =>
  page.evaluate(async (scrolls) => {
    const list = document.querySelector('[role=region][aria-label=Events]') as Scroller;
    const frame = () => new Promise<number>((resolve) => requestAnimationFrame(resolve));
    const inView = (): readonly string[] => {
      const { top, bottom } = list.getBoundingClientRect();
      return [...list.querySelectorAll('li')]
        .filter((row) => {
          const box = row.getBoundingClientRect();
          return box.bottom > top && box.top < bottom;
        })
        .map((row) => row.querySelector('bdi, [data-heading]')?.textContent ?? '');
    };
    const blank: number[] = [];
    const wordless: number[] = [];
    const step = list.scrollHeight / scrolls;
    for (let scroll = 1; scroll <= scrolls; scroll += 1) {
      list.scrollTop = ((scroll * 37) % scrolls) * step;
      const began = performance.now();
      let rows: readonly string[];
      do {
        await frame();
        rows = inView();
      } while (rows.length === 0);
      blank.push(performance.now() - began);
      while (rows.some((words) => words === '') || rows.length === 0) {
        await frame();
        rows = inView();
      }
      wordless.push(performance.now() - began);
    }
    return { blank, wordless };
  }, SCROLLS);

// The functions above that run in the page know these.
interface Box {
  readonly top: number;
  readonly bottom: number;
}
interface PageElement {
  readonly textContent: string | null;
  getAttribute(name: string): string | null;
  getBoundingClientRect(): Box;
  querySelector(selector: string): PageElement | null;
  querySelectorAll(selector: string): Iterable<PageElement>;
}
interface Slider extends PageElement {
  dispatchEvent(event: Event): boolean;
}
interface Scroller extends PageElement {
  readonly scrollHeight: number;
  scrollTop: number;
}
declare const document: { querySelector(selector: string): PageElement | null };
declare const requestAnimationFrame: (callback: (time: number) => void) => number;
declare const sessionStorage: { setItem(key: string, value: string): void };
