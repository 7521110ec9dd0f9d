import type { Json } from '#domain/json.js';
import { leavesOf } from './leaves.js';

/** The maximum tokens of a value that can be recognised in a text. */
const MAX_PHRASE = 8;
/** The minimum characters of a value that can be recognised. Shorter values ("no", "51", "TX") occur by chance. */
const SHORTEST_VALUE = 3;

const RUNS = /[\p{L}\p{N}]+/gu;

/** Splits a text into lower-cased runs of letters and digits, as SPEC E2 does; `mia_li_3668` is three tokens. */
const tokensOf = (text: string): string[] =>
  text.match(RUNS)?.map((token) => token.toLowerCase()) ?? [];

const joined = (tokens: readonly string[]): string => tokens.join(' ');

/** Returns the phrase of a whole value; undefined if the value is too short or too long to be recognised. */
function phraseOf(value: string): string | undefined {
  const tokens = tokensOf(value);
  const long = tokens.length > MAX_PHRASE;
  return long || tokens.join('').length < SHORTEST_VALUE ? undefined : joined(tokens);
}

/**
 * Returns every phrase that occurs in a text. The work depends on the text's length, not on the number of
 * values; the memory depends on neither.
 */
export function* phrasesIn(text: string): Generator<string> {
  const last: string[] = [];
  for (const [run] of text.matchAll(RUNS)) {
    if (last.unshift(run.toLowerCase()) > MAX_PHRASE) last.pop();
    let phrase = '';
    for (const token of last) {
      phrase = phrase === '' ? token : `${token} ${phrase}`;
      yield phrase;
    }
  }
}

/** Returns the words of a sentence that identify something: words with a digit, `_` or `@`, and codes such as SEA. */
const namesIn = (sentence: string): string[] =>
  sentence
    .split(/\s+/)
    .filter((word) => /[\p{N}_@]/u.test(word) || /^\P{L}*\p{Lu}{3,5}\P{L}*$/u.test(word));

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
