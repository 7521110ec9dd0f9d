import { LruMap, stringBytes } from '#bounded/lru-map.js';
import { type AnalysedText, analyse } from '#domain/search/analysis.js';
import type { Language } from '#domain/search/languages/language.js';
import type { EntryRow } from './tables.js';

const MAX_BYTES = 16 * 1024 * 1024;
/** The approximate size of a term's entry in the map of a text. */
const TERM_BYTES = 40;

const bytesOf = ({ frequencies }: AnalysedText, seal: string): number =>
  [...frequencies.keys()].reduce(
    (sum, term) => sum + stringBytes(term) + TERM_BYTES,
    stringBytes(seal),
  );

/**
 * The analysed texts of the latest hits. They are kept by the seals of their rows: a seal covers the text, so equal
 * seals mean equal texts.
 */
export class AnalysedEntries {
  private readonly texts = new LruMap<string, AnalysedText>({ maxBytes: MAX_BYTES, bytesOf });

  constructor(private readonly language: Language) {}

  /** @param seal the seal of the row, which was checked */
  textOf({ title, body }: EntryRow, seal: Buffer): AnalysedText {
    const key = seal.toString('latin1');
    let text = this.texts.get(key);
    if (text === undefined) this.texts.set(key, (text = analyse(title, body, this.language)));
    return text;
  }
}
