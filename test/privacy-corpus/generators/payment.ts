import { isValidIBAN } from 'ibantools';
import { DIGITS, type Random } from '../random.js';
import { luhnDigit } from './checksums.js';
import { entryOf, grouped, pickForm, type Generator } from './slot.js';

interface CardBrand {
  /** Most of them are the prefixes of the brands' published test numbers. */
  readonly prefixes: readonly string[];
  readonly groups: readonly number[];
}

const FOUR_GROUPS = [4, 4, 4, 4];
const CARD_BRANDS: Readonly<Record<string, CardBrand>> = {
  visa: { prefixes: ['424242', '400000', '411111', '4012'], groups: FOUR_GROUPS },
  mastercard: { prefixes: ['555555', '510510', '222300', '5200'], groups: FOUR_GROUPS },
  amex: { prefixes: ['378282', '371449', '3400'], groups: [4, 6, 5] },
  discover: { prefixes: ['601111', '601100', '6500'], groups: FOUR_GROUPS },
  jcb: { prefixes: ['353011', '356600'], groups: FOUR_GROUPS },
  diners: { prefixes: ['305693', '385200', '3622'], groups: [4, 6, 4] },
  unionpay: { prefixes: ['620000', '624800'], groups: FOUR_GROUPS },
};

const cardDigits = (random: Random, { prefixes, groups }: CardBrand): string => {
  const length = groups.reduce((sum, group) => sum + group);
  const prefix = random.pick(prefixes);
  return `${prefix}${random.digits(length - prefix.length - 1)}`;
};

const SEPARATORS = { bare: '', spaced: ' ', dashed: '-' };

export const paymentCard: Generator = (random, form) => {
  const brand = CARD_BRANDS[pickForm(random, form, Object.keys(CARD_BRANDS))]!;
  const digits = cardDigits(random, brand);
  const separator = SEPARATORS[pickForm(random, form, ['bare', 'spaced', 'dashed'])];
  return grouped(`${digits}${luhnDigit(digits)}`, brand.groups, separator);
};

/** A number in the form of a card whose check digit is wrong. */
export const invalidCard: Generator = (random, form) => {
  const brand = CARD_BRANDS[pickForm(random, form, Object.keys(CARD_BRANDS))]!;
  const digits = cardDigits(random, brand);
  const wrong = (luhnDigit(digits) + random.integer(1, 9)) % 10;
  const separator = SEPARATORS[pickForm(random, form, ['bare', 'spaced', 'dashed'])];
  return grouped(`${digits}${wrong}`, brand.groups, separator);
};

/** The account part of an IBAN as a pattern of `Random`. */
const ACCOUNTS: Readonly<Record<string, readonly string[]>> = {
  DE: ['##################'],
  AT: ['################'],
  CH: ['#################'],
  FR: ['#######################'],
  ES: ['####################'],
  IT: ['@######################'],
  NL: ['RABO##########', 'INGB##########', 'TRIO##########'],
  BE: ['############'],
  PT: ['#####################'],
  PL: ['########################'],
  SE: ['####################'],
  NO: ['###########'],
  FI: ['##############'],
  GB: ['WEST##############', 'NWBK##############'],
  IE: ['AIBK##############'],
  LU: ['################'],
  SA: ['####################'],
};

const GROUP_OF_FOUR = /.{1,4}/g;
const spacedIban = (iban: string): string => iban.match(GROUP_OF_FOUR)!.join(' ');

const ibanCheckDigits = (country: string, account: string): string => {
  const number = [...`${account}${country}00`].map((sign) => parseInt(sign, 36)).join('');
  return String(98n - (BigInt(number) % 97n)).padStart(2, '0');
};

const bareIban = (random: Random, country: string, patterns: readonly string[]): string => {
  // Several countries have check digits inside the account, too: draw until they fit.
  for (let tries = 0; tries < 10_000; tries++) {
    const account = random.pattern(random.pick(patterns));
    const iban = `${country}${ibanCheckDigits(country, account)}${account}`;
    if (isValidIBAN(iban)) return iban;
  }
  throw new Error(`No account number of ${country} fits its pattern.`);
};

export const iban: Generator = (random, form) => {
  const bare = bareIban(random, form.region, entryOf(ACCOUNTS, form));
  return pickForm(random, form, ['bare', 'spaced']) === 'bare' ? bare : spacedIban(bare);
};

/** A text in the form of an IBAN whose check digits are wrong. */
export const invalidIban: Generator = (random, form) => {
  const bare = bareIban(random, form.region, entryOf(ACCOUNTS, form));
  const place = bare.length - 1 - random.integer(0, 5);
  const digit = DIGITS[(Number(bare[place]) + random.integer(1, 9)) % 10]!;
  const wrong = `${bare.slice(0, place)}${digit}${bare.slice(place + 1)}`;
  return pickForm(random, form, ['bare', 'spaced']) === 'bare' ? wrong : spacedIban(wrong);
};
