import type { Json, JsonObject } from '../json.js';
import { type Leaf, leavesOf } from './leaves.js';

/** Names of fields that say what an entry is or where it comes from, and not what was found there. */
const ABOUT_ENTRY: ReadonlySet<string> = new Set([
  ...['type', 'kind', 'source', 'role', 'url', 'read_at'],
  ...['tool', 'tool_name', 'tool_call_id', 'episodic_id', 'note', 'stream', 'hash'],
]);
/** The fields that name an event together with its stream. */
const NUMBER_OF_EVENT: ReadonlySet<string> = new Set(['number', 'event_number']);

/** A value with more leaves is not compared with the evidence, and counts as not found there. */
const MAX_LEAVES = 500;

/** Scripts that are written without spaces: each letter counts as a word. */
const UNSPACED =
  '[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}]';
const TOKEN = new RegExp(
  `${UNSPACED}|(?:(?!${UNSPACED})[\\p{L}\\p{M}])+|\\p{Nd}+(?:[.,:]\\p{Nd}+)*`,
  'gu',
);
const NUMBER = /(?<![\d.,:])(?:\d{1,3}(?:[ '’]\d{3})+(?![\d])|\d+)(?:[.,]\d+)*(?!\d|:\d)/gu;
const BEFORE_NEGATIVE = /(?:[-−–]|minus )$/u;
const LONGEST_SIGN = 6;
const GROUPED = /^\d{1,3}(?:,\d{3})+$/;

const formOf = (text: string): string => text.normalize('NFKC').toLowerCase();

const tokensOf = (text: string): readonly string[] =>
  (formOf(text).match(TOKEN) ?? []).map((token) =>
    GROUPED.test(token) ? token.replaceAll(',', '') : token,
  );

const joined = (tokens: readonly string[]): string => ` ${tokens.join(' ')} `;

/** Yields the numbers in a text. A comma or a point can group digits or begin a fraction, so both readings count. */
function* numbersIn(text: string): Generator<number> {
  for (const { 0: found, index } of text.matchAll(NUMBER)) {
    const digits = found.replace(/[ '’]/gu, '');
    const readings = [
      Number(digits.replaceAll(',', '')),
      Number(digits.replaceAll('.', '').replace(',', '.')),
    ].filter((reading) => !Number.isNaN(reading));
    yield* readings;
    if (BEFORE_NEGATIVE.test(text.slice(Math.max(0, index - LONGEST_SIGN), index)))
      for (const reading of readings) yield -reading;
  }
}

/** What the entries of the evidence say, in clear. The order of the entries does not matter. */
class Said {
  private readonly texts: readonly string[];
  private readonly tokens: readonly string[];
  private readonly words: ReadonlySet<string>;
  private readonly numbers: ReadonlySet<number>;

  constructor(leaves: readonly Leaf[]) {
    this.texts = leaves.map(({ value }) => formOf(String(value)));
    const lists = this.texts.map(tokensOf);
    this.tokens = lists.map(joined);
    this.words = new Set(lists.flat());
    this.numbers = new Set(this.texts.flatMap((text) => [...numbersIn(text)]));
  }

  hasNumber(value: number): boolean {
    return this.numbers.has(value);
  }

  /** True if a text has these words in this order, whatever other characters stand between them. */
  hasText(value: string): boolean {
    const tokens = tokensOf(value);
    const [first, ...more] = tokens;
    if (first === undefined) return this.texts.some((text) => text.includes(formOf(value).trim()));
    if (!this.words.has(first)) return false;
    const words = joined(tokens);
    return more.length === 0 || this.tokens.some((text) => text.includes(words));
  }

  /** True if a text has a word of this name, in the singular or the plural. */
  hasWordOf(name: string): boolean {
    return tokensOf(name.replaceAll('_', ' '))
      .filter((word) => word.length > 2)
      .map((word) => word.replace(/s$/u, ''))
      .some((stem) => this.words.has(stem) || this.words.has(`${stem}s`));
  }
}

/** Returns what an entry says beside what it is. */
export const saidIn = (entry: JsonObject): readonly Leaf[] =>
  Object.entries(entry).flatMap(([field, value]) =>
    ABOUT_ENTRY.has(field) || (NUMBER_OF_EVENT.has(field) && Object.hasOwn(entry, 'stream'))
      ? []
      : [...leavesOf(value, field)],
  );

/**
 * True if entries of the evidence contain a value: the words of a text, a number, and every leaf of an object. A truth
 * value is contained if a word of its name is. Undefined if nothing can be compared: the value is empty, or the entries
 * only name episodes, events or tools.
 * @param name the name of the value: the attribute of its key
 */
export function isInEvidence(
  value: Json,
  name: string,
  evidence: readonly JsonObject[],
): boolean | undefined {
  const said = evidence.flatMap(saidIn);
  const leaves = [...leavesOf(value, name)].filter((leaf) => leaf.value !== '');
  if (said.length === 0 || leaves.length === 0) return undefined;
  if (leaves.length > MAX_LEAVES) return false;
  const all = new Said(said);
  return leaves.every((leaf) => contains(all, leaf));
}

function contains(said: Said, { field, value }: Leaf): boolean {
  if (typeof value === 'number') return said.hasNumber(value);
  return typeof value === 'string' ? said.hasText(value) : said.hasWordOf(field);
}
