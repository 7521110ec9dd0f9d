import { searchedTexts } from '#domain/job/event-matches.js';
import type { RecordedEvent } from '#domain/recorded-event.js';

/** Stands between two texts. No stored text has it (SPEC I5), so no match reaches from one text into the next. */
const BETWEEN = '\u0000';
const TOGETHER = 256;
const MAX_CHARACTERS = 48 * 1024 * 1024;

/** The texts of consecutive events, joined, because one search through a long text is faster than many. */
interface Part {
  /** The number of the first of the events. */
  readonly first: number;
  readonly text: string;
  /** For each event, the place after its last character. */
  readonly ends: readonly number[];
}

/**
 * The searchable texts of a job's events, in lower case. A job of 100,000 events has about 40 million characters. Of a
 * job that has more than the limit, only the first events are kept.
 */
export class JobText {
  readonly #parts: Part[] = [];
  #open: string[] = [];
  #size = 0;
  #isFull = false;

  constructor(private readonly maxCharacters = MAX_CHARACTERS) {}

  /** The number of the last event whose text is kept; -1 before the first. */
  upTo = -1;

  /** The approximate size in characters. */
  get size(): number {
    return this.#size;
  }

  /** Adds the text of the next event, unless the limit is reached. */
  add(event: RecordedEvent): void {
    if (this.#isFull) return;
    const text = searchedTexts(event).join(BETWEEN).toLowerCase();
    this.#open.push(text);
    this.#size += text.length + 1;
    this.upTo += 1;
    this.#isFull = this.#size >= this.maxCharacters;
    if (this.#open.length === TOGETHER || this.#isFull) this.#close();
  }

  /** Returns the numbers of the kept events from `from` on that contain a text in lower case, ascending. */
  containing(lower: string, from: number): number[] {
    if (lower.includes(BETWEEN)) return [];
    const found: number[] = [];
    for (const part of this.#parts)
      if (part.first + part.ends.length > from) findIn(part, lower, found);
    const first = this.upTo - this.#open.length + 1;
    this.#open.forEach((text, index) => {
      if (text.includes(lower)) found.push(first + index);
    });
    return found.filter((number) => number >= from);
  }

  #close(): void {
    const texts = this.#open;
    let end = 0;
    const ends = texts.map((text, index) => (end += text.length + (index === 0 ? 0 : 1)));
    const first = this.upTo - texts.length + 1;
    this.#parts.push({ first, text: texts.join(BETWEEN), ends });
    this.#open = [];
  }
}

/** Adds the numbers of the events of a part that contain the text. */
function findIn({ first, text, ends }: Part, lower: string, found: number[]): void {
  let index = 0;
  for (let at = text.indexOf(lower); at >= 0; at = text.indexOf(lower, ends[index - 1])) {
    while (ends[index]! <= at) index += 1;
    found.push(first + index);
    index += 1;
    if (index === ends.length) return;
  }
}
