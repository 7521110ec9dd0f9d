import { hashJson } from '../determinism/hash.js';
import { foldWords } from './context-words.js';

/** A longer name is compared by its hash. */
const MAX_KEY = 64;

/**
 * The name of a field whose value is scanned, prepared by `foldWords`. It can be long and its value can have many
 * parts, so each question about the name is answered once (SPEC P2).
 */
export class FieldName {
  static readonly none = new FieldName('');
  private readonly text: string;
  private readonly answers = new Map<RegExp, boolean>();
  private shortened: string | undefined;

  constructor(name: string) {
    this.text = foldWords(name);
  }

  /** The name, as a short text for comparisons. */
  get key(): string {
    this.shortened ??= this.text.length <= MAX_KEY ? this.text : hashJson(this.text);
    return this.shortened;
  }

  get isEmpty(): boolean {
    return this.text === '';
  }

  matches(pattern: RegExp): boolean {
    if (this.isEmpty) return false;
    const known = this.answers.get(pattern);
    if (known !== undefined) return known;
    const answer = pattern.test(this.text);
    this.answers.set(pattern, answer);
    return answer;
  }
}
