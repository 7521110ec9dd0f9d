import { type AnalysedText, analyse } from '#domain/search/analysis.js';
import type { Language } from '#domain/search/languages/language.js';
import type { EntryRow } from './tables.js';

/** The maximum number of terms in memory, about 10 MB. */
const MAX_TERMS = 100_000;

/**
 * The analysed texts of the latest hits. They are kept by the seals of their rows: a seal covers the text, so equal
 * seals mean equal texts.
 */
export class AnalysedEntries {
  /** The entry that was used last comes last. */
  private readonly texts = new Map<string, AnalysedText>();
  private terms = 0;

  constructor(private readonly language: Language) {}

  /** @param seal the seal of the row, which was checked */
  textOf({ title, body }: EntryRow, seal: Buffer): AnalysedText {
    const key = seal.toString('latin1');
    const known = this.texts.get(key);
    const text = known ?? analyse(title, body, this.language);
    if (known === undefined) this.terms += text.frequencies.size;
    else this.texts.delete(key);
    this.texts.set(key, text);
    for (const [oldest, { frequencies }] of this.texts) {
      if (this.terms <= MAX_TERMS) break;
      this.texts.delete(oldest);
      this.terms -= frequencies.size;
    }
    return text;
  }
}
