import type { Json } from '../json.js';
import { currenciesBeside, currenciesIn } from './currencies.js';
import { isScalar, partsOf } from './leaves.js';
import { formOf, numbersIn } from './numbers.js';
import { SAYS_SOMETHING, tokensOf } from './tokens.js';

/** A value with more parts is not compared with the evidence, and counts as not found there. */
export const MAX_PARTS = 500;

/** Words in a name that do not say what it is about. */
const AUXILIARY: ReadonlySet<string> = new Set(
  'has have had are was were can may does did the and for from with per any'.split(' '),
);
/** A name of more words makes a statement of its own. */
const MOST_WORDS_OF_NAME = 3;

/** The words of a name that say what it is about, each without the ending of the plural. */
function stemsOf(name: string): readonly string[] {
  const apart = name.replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ').replaceAll('_', ' ');
  const words = [...tokensOf(formOf(apart))].filter((word) => word.length > 2);
  const telling = words.filter((word) => !AUXILIARY.has(word));
  return (telling.length > 0 ? telling : words).map((word) => word.replace(/s$/u, ''));
}

/** A number with the currencies that are named beside it. */
export interface Amount {
  readonly readings: readonly number[];
  readonly currencies: readonly string[];
}

/**
 * Yields the amounts in a text in the form in which numbers are sought, with those beside which no currency is named.
 * @param isSought says of which numbers they are yielded
 */
export function* amountsIn(
  form: string,
  isSought: (number: number) => boolean = () => true,
): Generator<Amount> {
  for (const { readings, start, end } of numbersIn(form))
    if (readings.some(isSought)) yield { readings, currencies: currenciesBeside(form, start, end) };
}

/** What a value claims: the evidence contains the value if it has all of this. */
export interface Claims {
  /** The number of the claims, each as often as the value makes it. */
  readonly count: number;
  readonly numbers: readonly number[];
  /** The numbers beside which a currency is named. */
  readonly amounts: readonly Amount[];
  /** The words of each text. */
  readonly texts: readonly (readonly string[])[];
  /** The characters of texts without a word. */
  readonly characters: readonly string[];
  /** The words of each name that has to be there, at least half of them. */
  readonly names: readonly (readonly string[])[];
}

/**
 * Returns what a value claims. The name of a part claims something if the part itself says nothing (`true`, null, an empty
 * list), or if the name is as long as a sentence.
 */
export function claimsOf(value: Json, attribute: string): Claims {
  const numbers: number[] = [];
  const amounts: Amount[] = [];
  const texts: (readonly string[])[] = [];
  const characters = new Set<string>();
  // A name that many parts have, such as that of a list, is one claim, however long it is.
  const names = new Set<readonly string[]>();
  let named = 0;
  const known = new Map<string, readonly string[]>();
  const count = (): number => numbers.length + texts.length + characters.size + named;
  for (const { field, isField, value: part } of partsOf(value, attribute)) {
    if (count() > MAX_PARTS) break;
    const isNamed = isField || isScalar(part);
    const stems = isNamed ? (known.get(field) ?? stemsOf(field)) : [];
    if (isNamed) known.set(field, stems);
    const isEmptyOrWordy = isField && stems.length > (isEmpty(part) ? 1 : MOST_WORDS_OF_NAME);
    if (typeof part === 'boolean' || part === null || isEmptyOrWordy) {
      names.add(stems);
      named += 1;
    }
    if (typeof part === 'number') {
      numbers.push(part);
      amounts.push({ readings: [part], currencies: currenciesOf(field) });
    }
    if (typeof part !== 'string' || !SAYS_SOMETHING.test(part)) continue;
    const form = formOf(part);
    const words = [...tokensOf(form)];
    if (words.length > 0) texts.push(words);
    else for (const character of form.replace(/\s/gu, '')) characters.add(character);
    for (const amount of amountsIn(form))
      amounts.push(
        amount.currencies.length > 0 ? amount : { ...amount, currencies: currenciesOf(field) },
      );
  }
  return {
    count: count(),
    ...{ numbers, texts, characters: [...characters], names: [...names] },
    amounts: amounts.filter(({ currencies }) => currencies.length > 0),
  };
}

/** Returns the currencies in the name of a field: `limit_eur`. */
const currenciesOf = (field: string): readonly string[] => currenciesIn(field.toLowerCase());

const isEmpty = (part: Json): boolean =>
  part === '' || (!isScalar(part) && Object.keys(part).length === 0);

/** The currencies that texts name beside each number. */
export class Amounts {
  private readonly currencies = new Map<number, Set<string>>();
  /** The numbers that stand somewhere without a currency. */
  private readonly bare = new Set<number>();

  add({ readings, currencies }: Amount): void {
    for (const reading of readings) {
      if (currencies.length === 0) this.bare.add(reading);
      const known = this.currencies.get(reading) ?? new Set<string>();
      for (const currency of currencies) known.add(currency);
      this.currencies.set(reading, known);
    }
  }

  /** True if the number of an amount is there, but only with other currencies beside it. */
  areOther({ readings, currencies }: Amount): boolean {
    const found = readings.filter((reading) => this.currencies.has(reading));
    return (
      found.length > 0 &&
      found.every(
        (reading) =>
          !this.bare.has(reading) &&
          !currencies.some((currency) => this.currencies.get(reading)?.has(currency)),
      )
    );
  }
}
