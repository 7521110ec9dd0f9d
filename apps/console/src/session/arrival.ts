/** What the address of the sign-in page carried when the console was opened. */
export type Arrival =
  | { readonly kind: 'link'; readonly code: string }
  /** The whole address with which the OpenID Connect provider sent the person back. */
  | { readonly kind: 'provider'; readonly address: string };

/** Returns the code of a sign-in link, from its fragment: `#code=…`. */
export const codeIn = (fragment: string): string | undefined =>
  new URLSearchParams(fragment.replace(/^#/, '')).get('code') ?? undefined;

/** Reads the address, and takes what is secret in it out of the address bar and the history at once. */
function readArrival(): Arrival | undefined {
  const { href, pathname, search, hash } = window.location;
  if (!pathname.endsWith('/sign-in')) return undefined;
  const code = codeIn(hash);
  const isFromProvider = new URLSearchParams(search).has('state');
  if (code === undefined && !isFromProvider) return undefined;
  window.history.replaceState(window.history.state, '', pathname);
  return code === undefined ? { kind: 'provider', address: href } : { kind: 'link', code };
}

let arrival = readArrival();

export function takeArrival(): Arrival | undefined {
  const taken = arrival;
  arrival = undefined;
  return taken;
}
