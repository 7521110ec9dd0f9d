import type { Json } from '#domain/json.js';
import { leavesOf } from './leaves.js';
import { namesIn, phraseOf, phrasesIn } from './phrases.js';

/** An item that later messages may repeat: a WM entry or, after its promotion, a CWM item. */
interface Holder {
  readonly id: string;
  /** The item's index in the order in which the job inserted the items. */
  readonly order: number;
  readonly values: ReadonlySet<string>;
  /** The words of the user's statement, if the item holds one. An argument of a tool call may repeat them. */
  readonly statement: ReadonlySet<string> | undefined;
}

/**
 * The parts of a message in which the index looks for repeated values: running text, and the arguments
 * of a tool call as whole values.
 */
export interface MessageContent {
  readonly texts: readonly string[];
  readonly values: readonly string[];
}

const phrasesOf = (values: readonly string[]): Set<string> =>
  new Set(values.map(phraseOf).filter((phrase) => phrase !== undefined));

/**
 * An index of items by the values that they hold. A message repeats an item if its text contains one of the
 * item's values, or if an argument of a tool call occurs in the user's statement that the item holds.
 */
export class HeldValues {
  readonly #holders = new Map<string, Holder>();
  readonly #byValue = new Map<string, Set<Holder>>();
  #count = 0;

  /** Notes that the item holds every string and number of this value. */
  addValue(id: string, value: Json): void {
    const values = leavesOf(value).flatMap((leaf) =>
      phraseOf(leaf) === undefined ? namesIn(leaf) : [leaf],
    );
    this.#add({ id, order: this.#count, values: phrasesOf(values), statement: undefined });
  }

  /** Adds the names in the user's statement to the item; a tool call may quote the statement. */
  addStatement(id: string, text: string): void {
    const statement = new Set(phrasesIn(text));
    this.#add({ id, order: this.#count, values: phrasesOf(namesIn(text)), statement });
  }

  /** Gives the item its new id. */
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

  /** Returns the ids of the items that the message repeats, oldest first, without duplicates. */
  repeatedBy(said: MessageContent): string[] {
    if (this.#holders.size === 0) return [];
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
