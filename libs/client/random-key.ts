/**
 * Returns a new random key of 32 hex digits. `crypto.randomUUID` exists only on pages that were loaded over
 * HTTPS, and pages inside a company's network often were not.
 */
export const randomKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
