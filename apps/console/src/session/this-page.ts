import { randomKey } from '#client/random-key.js';

/** Names this page. A reload of it and a copy of its tab have names of their own. */
export const THIS_PAGE = randomKey();

const lockOf = (page: string): string => `mace.page.${page}`;

/** Browsers have locks only on pages that were loaded over HTTPS or from this machine. */
const locks = (): LockManager | undefined => ('locks' in navigator ? navigator.locks : undefined);

let isShown = false;

/** Shows other tabs that this page is open, until it is closed or crashes. */
export function showOpen(): void {
  if (isShown) return;
  isShown = true;
  void locks()?.request(lockOf(THIS_PAGE), () => new Promise(() => undefined));
}

/** True if a page that called `showOpen` is open in some tab; false if the browser cannot tell. */
export async function isOpen(page: string): Promise<boolean> {
  const found = await locks()?.request(lockOf(page), { ifAvailable: true }, (lock) =>
    Promise.resolve(lock === null),
  );
  return found ?? false;
}
