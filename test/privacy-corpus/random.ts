/** A seeded source of pseudo-random choices: the same seed always gives the same choices. */
export class Random {
  private state: number;

  constructor(seed: string) {
    this.state = fnv1a(seed);
  }

  /** Returns an integer from `from` to `to`, both included. */
  integer(from: number, to: number): number {
    return from + Math.floor(this.fraction() * (to - from + 1));
  }

  isTrue(probability: number): boolean {
    return this.fraction() < probability;
  }

  pick<T>(choices: readonly T[]): T {
    const choice = choices[this.integer(0, choices.length - 1)];
    if (choice === undefined) throw new Error('There is nothing to pick from.');
    return choice;
  }

  /** Returns a text of `length` characters of the alphabet. */
  text(alphabet: string, length: number): string {
    return Array.from({ length }, () => alphabet[this.integer(0, alphabet.length - 1)]).join('');
  }

  digits(length: number): string {
    return this.text(DIGITS, length);
  }

  hex(length: number): string {
    return this.text('0123456789abcdef', length);
  }

  /** Fills a pattern: `#` becomes a digit, `@` a capital letter, and `*` a digit or a capital letter. */
  pattern(pattern: string): string {
    const alphabets: Readonly<Record<string, string>> = {
      '#': DIGITS,
      '@': CAPITALS,
      '*': DIGITS + CAPITALS,
    };
    return pattern.replace(/[#@*]/g, (sign) => this.text(alphabets[sign]!, 1));
  }

  /** Mulberry32. */
  private fraction(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), this.state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
}

export const DIGITS = '0123456789';
export const CAPITALS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
export const SMALL = CAPITALS.toLowerCase();
export const ALPHANUMERIC = DIGITS + CAPITALS + SMALL;
export const BASE64URL = `${ALPHANUMERIC}-_`;

function fnv1a(text: string): number {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(text)) hash = Math.imul(hash ^ byte, 0x01000193);
  return hash;
}
