import type { Json } from '#domain/json.js';
import { leavesOf } from './leaves.js';
import { namesIn, phraseOf, phrasesIn } from './phrases.js';

/** Something in memory that later messages may repeat: a WM entry or, once promoted, a CWM item. */
interface Holder {
  readonly id: string;
  /** In the order in which the job came to hold them. */
  readonly order: number;
  readonly values: ReadonlySet<string>;
  /** A user's own words, in which a tool call's argument may be found. */
  readonly statement: ReadonlySet<string> | undefined;
}

/** What a message says, for the look-up: running text, and the arguments of a tool call as whole values. */
export interface Said {
  readonly texts: readonly string[];
  readonly values: readonly string[];
}

const phrasesOf = (values: readonly string[]): Set<string> =>
  new Set(values.map(phraseOf).filter((phrase) => phrase !== undefined));

/**
 * Which items hold which values. An item is repeated by what is said when one of its values occurs in a text,
 * or when an argument of a tool call occurs in the user's statement that the item is.
 */
export class HeldValues {
  readonly #holders = new Map<string, Holder>();
  readonly #byValue = new Map<string, Set<Holder>>();
  #count = 0;

  /** The item holds every string and number of this value. */
  addValue(id: string, value: Json): void {
    const values = leavesOf(value).flatMap((leaf) =>
      phraseOf(leaf) === undefined ? namesIn(leaf) : [leaf],
    );
    this.#add({ id, order: this.#count, values: phrasesOf(values), statement: undefined });
  }

  /** The item is what the user said: it holds the names in it, and may be quoted by a tool call. */
  addStatement(id: string, text: string): void {
    const statement = new Set(phrasesIn(text));
    this.#add({ id, order: this.#count, values: phrasesOf(namesIn(text)), statement });
  }

  /** The item has another id now. */
  rename(from: string, to: string): void {
    const holder = this.#holders.get(from);
    if (holder === undefined) return;
    this.remove(from);
    this.#add({ ...holder, id: to });
  }

  remove(id: string): void {
    const holder = this.#holders.get(id);
    if (holder === undefined) return;
    this.#holders.delete(id);
    for (const value of holder.values) {
      const others = this.#byValue.get(value);
      others?.delete(holder);
      if (others?.size === 0) this.#byValue.delete(value);
    }
  }

  /** The ids of the items that are repeated, oldest first, each once. */
  repeatedBy(said: Said): string[] {
    const repeated = new Set<Holder>();
    for (const text of [...said.texts, ...said.values]) {
      for (const phrase of phrasesIn(text)) {
        for (const holder of this.#byValue.get(phrase) ?? []) repeated.add(holder);
      }
    }
    const values = phrasesOf(said.values);
    for (const holder of values.size === 0 ? [] : this.#holders.values()) {
      if ([...values].some((value) => holder.statement?.has(value))) repeated.add(holder);
    }
    return [...repeated].sort((left, right) => left.order - right.order).map(({ id }) => id);
  }

  #add(holder: Holder): void {
    this.#count = Math.max(this.#count, holder.order + 1);
    this.#holders.set(holder.id, holder);
    for (const value of holder.values) {
      const holders = this.#byValue.get(value);
      if (holders === undefined) this.#byValue.set(value, new Set([holder]));
      else holders.add(holder);
    }
  }
}
