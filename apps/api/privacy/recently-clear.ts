import type { ClearItems } from '#domain/privacy/scan-json.js';

/** The most items that are remembered; each takes about 150 bytes. */
const MAX_ITEMS = 50_000;

/** Remembers the items that were found clear, or asked for, last. */
export class RecentlyClear implements ClearItems {
  readonly #items = new Map<string, number>();

  get(key: string): number | undefined {
    const characters = this.#items.get(key);
    if (characters === undefined) return undefined;
    this.#items.delete(key);
    this.#items.set(key, characters);
    return characters;
  }

  set(key: string, characters: number): void {
    this.#items.set(key, characters);
    if (this.#items.size <= MAX_ITEMS) return;
    for (const oldest of this.#items.keys()) {
      this.#items.delete(oldest);
      return;
    }
  }
}
