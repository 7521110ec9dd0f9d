/** Words that stand near personal data of a kind, in many languages and without capitals. */
export interface Words {
  /** Words and phrases that stand alone, separated by `|`. */
  readonly exact?: string;
  /** Beginnings of words, because many languages join words and inflect them. */
  readonly stems?: string;
  /** Words that may stand anywhere: most scripts have no spaces, or letters that `\b` does not know. */
  readonly anywhere?: string;
}

/** Prepares a name or text for the search of context words: separates words and lower-cases them. */
export const foldWords = (text: string): string =>
  text
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replace(/[_-]/g, ' ')
    .toLowerCase();

const KINDS = ['exact', 'stems', 'anywhere'] as const;
type Kind = (typeof KINDS)[number];

/** A node of the tree of all words: the words that end here, and the nodes after one more character. */
class WordNode {
  readonly kinds = new Set<Kind>();
  private readonly next = new Map<number, WordNode>();

  add(word: string, kind: Kind): void {
    if (word === '') {
      this.kinds.add(kind);
      return;
    }
    const code = word.charCodeAt(0);
    const inner = this.next.get(code) ?? new WordNode();
    this.next.set(code, inner);
    inner.add(word.slice(1), kind);
  }

  after(code: number): WordNode | undefined {
    return this.next.get(code);
  }
}

const listOf = (words: string | undefined): readonly string[] =>
  words === undefined ? [] : words.replace(/\n/g, '').split('|');

const anyOf = (list: readonly string[]): string =>
  `(?:${list.map((word) => word.replace(/[.]/g, '\\.')).join('|')})`;

export class ContextWords {
  /** Matches a name of a field, prepared by `foldWords`, that has any of the words. */
  readonly pattern: RegExp;
  readonly root = new WordNode();

  constructor(words: Words) {
    const form = { exact: String.raw`\bW\b`, stems: String.raw`\bW`, anywhere: 'W' };
    const parts: string[] = [];
    for (const kind of KINDS) {
      const list = listOf(words[kind]);
      if (list.length > 0) parts.push(form[kind].replace('W', () => anyOf(list)));
      for (const word of list) this.root.add(word, kind);
    }
    this.pattern = new RegExp(parts.join('|'));
  }
}

/** A word in a text. The offsets are those of the text, not of its folded form. */
interface Occurrence {
  readonly start: number;
  readonly end: number;
  readonly kinds: ReadonlySet<Kind>;
  /** True for each of these characters that is a letter or digit of ASCII: the first, the last, and those beside them. */
  readonly first: boolean;
  readonly last: boolean;
  readonly before: boolean;
  readonly after: boolean;
}

/** True for the characters between which and any other character `\b` matches. */
const isWordCharacter = (code: number): boolean =>
  (code >= 0x61 && code <= 0x7a) || (code >= 0x30 && code <= 0x39);

/** True if the word stands as its kind requires in `[from, to)`, as if nothing were beside this part. */
function standsIn({ kinds, ...word }: Occurrence, from: number, to: number): boolean {
  if (word.start < from || word.end > to) return false;
  if (kinds.has('anywhere')) return true;
  if (word.first === (word.start > from && word.before)) return false;
  return kinds.has('stems') || word.last !== (word.end < to && word.after);
}

/** The characters of a text whose words are searched at once. */
const BLOCK = 256;
/** More than the longest word has. */
const MARGIN = 64;

/** A folded part of a text, and the place in the text of each of its characters. */
interface Folded {
  readonly text: string;
  readonly places: readonly number[];
}

const isLower = (code: number): boolean => code >= 0x61 && code <= 0x7a;
const isUpper = (code: number): boolean => code >= 0x41 && code <= 0x5a;
/** The only character that is longer in small letters. */
const DOTTED_I = 0x130;

function foldedPart(text: string, from: number, to: number): Folded {
  const places: number[] = [];
  for (let at = from; at < to; at += 1) {
    const code = text.charCodeAt(at);
    if (at > from && isUpper(code) && isLower(text.charCodeAt(at - 1))) places.push(at);
    places.push(at);
    if (code === DOTTED_I) places.push(at);
  }
  return { text: foldWords(text.slice(from, to)), places };
}

/**
 * Finds context words near the candidates of a text. It reads each block of the text once for all candidates, so
 * that many candidates beside each other take linear time (SPEC P2).
 */
export class NearWords {
  private readonly parts = new Map<number, Folded>();
  private readonly found = new Map<ContextWords, Map<number, readonly Occurrence[]>>();

  constructor(private readonly text: string) {}

  /** True if one of the words stands in `[from, to)`. The characters beside this part do not count. */
  has(words: ContextWords, from: number, to: number): boolean {
    const end = Math.min(to, this.text.length);
    for (let block = Math.floor(from / BLOCK); block * BLOCK < end; block += 1)
      if (this.wordsFrom(block, words).some((word) => standsIn(word, from, end))) return true;
    return false;
  }

  /** Returns the words that begin in a block, and may end after it. */
  private wordsFrom(block: number, words: ContextWords): readonly Occurrence[] {
    const blocks = this.found.get(words) ?? new Map<number, readonly Occurrence[]>();
    this.found.set(words, blocks);
    const known = blocks.get(block);
    if (known !== undefined) return known;
    const occurrences = [...occurrencesIn(this.part(block), words, block * BLOCK)];
    blocks.set(block, occurrences);
    return occurrences;
  }

  private part(block: number): Folded {
    const known = this.parts.get(block);
    if (known !== undefined) return known;
    const from = block * BLOCK;
    const part = foldedPart(
      this.text,
      Math.max(0, from - 1),
      Math.min(this.text.length, from + BLOCK + MARGIN),
    );
    this.parts.set(block, part);
    return part;
  }
}

function* occurrencesIn(
  { text, places }: Folded,
  { root }: ContextWords,
  from: number,
): Generator<Occurrence> {
  const isWordAt = (at: number): boolean =>
    at >= 0 && at < text.length && isWordCharacter(text.charCodeAt(at));
  for (let start = 0; start < text.length; start += 1) {
    const place = places[start] as number;
    if (place >= from + BLOCK) return;
    if (place < from) continue;
    let node = root.after(text.charCodeAt(start));
    for (let end = start + 1; node !== undefined; end += 1) {
      if (node.kinds.size > 0)
        yield {
          ...{ start: place, end: (places[end - 1] as number) + 1, kinds: node.kinds },
          ...{ first: isWordAt(start), last: isWordAt(end - 1) },
          ...{ before: isWordAt(start - 1), after: isWordAt(end) },
        };
      node = end < text.length ? node.after(text.charCodeAt(end)) : undefined;
    }
  }
}
