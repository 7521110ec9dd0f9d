import type { Random } from './random.js';

/** Ways to hide a value in a text: `{email|url}`, `{us_ssn|base64 ssn=%}`. The detector must undo each (SPEC P2). */
export type Disguise = (value: string, random: Random, argument: string) => string;

const ZERO_WIDTH = ['\u200b', '\u200c', '\u200d', '\u2060', '\ufeff'];
const FULL_WIDTH = 0xfee0;
const BOLD_ZERO = 0x1d7ce;

const byCode = (value: string, pattern: RegExp, code: (sign: number) => number): string =>
  value.replace(pattern, (sign) => String.fromCodePoint(code(sign.codePointAt(0)!)));

export const DISGUISES: Readonly<Record<string, Disguise>> = {
  fullwidth: (value) =>
    byCode(value, /[!-~]/g, (sign) => sign + FULL_WIDTH).replaceAll(' ', '\u3000'),
  /** Mathematical bold digits take two UTF-16 units each. */
  boldmath: (value) => byCode(value, /\d/g, (sign) => sign - 0x30 + BOLD_ZERO),
  nbhyphen: (value) => value.replaceAll('-', '\u2011'),
  zerowidth: (value, random) => {
    const places = new Set([1, random.integer(2, value.length - 1), value.length - 1]);
    return [...value]
      .map((sign, place) => (places.has(place) ? `${random.pick(ZERO_WIDTH)}${sign}` : sign))
      .join('');
  },
  url: (value) => encodeURIComponent(value),
  /** The argument is the text around the value, with `%` in its place. */
  base64: (value, _, argument) =>
    Buffer.from((argument || '%').replace('%', () => value)).toString('base64'),
};
