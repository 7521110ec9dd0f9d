import type { ConsolePage } from './browser.js';

/** The ways to decide on a request, each with its keys. The last key is the one that decides. */
const DECISIONS: readonly (readonly string[])[] = [
  ['a'],
  ['r', '2', 'Control+Enter'],
  ['x'],
  ['e', 'Tab', 'B', 'e', 't', 't', 'e', 'r', 'Control+Enter'],
];

/** Makes the page note, for each request that it shows, the time from the last key until it was painted. */
export function noteTimes({ page }: ConsolePage): Promise<void> {
  return page.evaluate(() => {
    const noted: number[] = [];
    let pressed = 0;
    let shown = document.querySelector('h1')?.textContent;
    Object.assign(globalThis, { noted });
    document.addEventListener('keydown', () => (pressed = performance.now()), true);
    new MutationObserver(() => {
      const heading = document.querySelector('h1')?.textContent;
      // A request that is still being read has the heading of all of them.
      if (heading === undefined || heading === shown || heading === 'Request') return;
      shown = heading;
      const from = pressed;
      requestAnimationFrame(() => noted.push(performance.now() - from));
    }).observe(document.body, { subtree: true, childList: true, characterData: true });
  });
}

/** Decides on the requests one after the other, in mixed ways, and returns the noted times in ms. */
export async function decideAll({ page }: ConsolePage, count: number): Promise<number[]> {
  for (let index = 0; index < count; index += 1) {
    for (const key of DECISIONS[index % DECISIONS.length] ?? []) await page.keyboard.press(key);
    await page.waitForFunction((done) => noted.length > done, index);
  }
  return page.evaluate(() => [...noted]);
}

// The functions above that run in the page know these.
declare const noted: number[];
declare const document: {
  readonly body: unknown;
  querySelector(selector: string): { readonly textContent: string } | null;
  addEventListener(type: string, listener: () => void, capture: boolean): void;
};
declare const requestAnimationFrame: (callback: () => void) => void;
declare class MutationObserver {
  constructor(callback: () => void);
  observe(target: unknown, options: object): void;
}
