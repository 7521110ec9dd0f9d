import { ALPHANUMERIC, CAPITALS, DIGITS, type Random } from '../random.js';
import { luhnDigit } from './checksums.js';
import { writtenDate } from './contact.js';
import { invalidSsn } from './identity.js';
import { FIRST_NAMES, LAST_NAMES } from './names.js';
import { invalidCard, invalidIban } from './payment.js';
import type { Generator, SlotForm } from './slot.js';

const CITIES = ['Falkenrode', 'Millbrook', 'Wexcombe', 'Valverde', 'Lyon', 'Rotterdam', 'Kyoto'];
const WORDS = ['harbor', 'lattice', 'copper', 'meadow', 'signal', 'quartz', 'ember', 'willow'];

const numberOption = ({ options }: SlotForm, usual: number): number => Number(options[0] ?? usual);

const day = (random: Random): Date =>
  new Date(Date.UTC(random.integer(2019, 2027), random.integer(0, 11), random.integer(1, 28)));

const moment = (random: Random): Date =>
  new Date(day(random).getTime() + random.integer(0, 86_399) * 1000);

const clock = (random: Random): string => moment(random).toISOString().slice(11, 19);

/** Numbers as long as a card fail Luhn's check, so no reader can take them for one. */
const digits: Generator = (random, form) => {
  const drawn = `${random.integer(1, 9)}${random.digits(numberOption(form, 8) - 1)}`;
  const body = drawn.slice(0, -1);
  if (drawn.length < 13 || luhnDigit(body) !== Number(drawn.at(-1))) return drawn;
  return `${body}${(luhnDigit(body) + 1) % 10}`;
};

const CURRENCIES: Readonly<Record<string, (amount: string) => string>> = {
  USD: (amount) => `$${amount}`,
  GBP: (amount) => `£${amount}`,
  EUR: (amount) => `${amount.replace('.', ',')} €`,
  PLN: (amount) => `${amount.replace('.', ',')} zł`,
  SEK: (amount) => `${amount.replace('.', ',')} kr`,
  BRL: (amount) => `R$ ${amount.replace('.', ',')}`,
  JPY: (amount) => `¥${amount.split('.')[0]}`,
  CNY: (amount) => `¥${amount}`,
  INR: (amount) => `₹${amount}`,
};

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

const datetime: Generator = (random, { options: [kind = 'iso'] }) => {
  const iso = moment(random).toISOString();
  const month = MONTHS[Number(iso.slice(5, 7)) - 1]!;
  if (kind === 'clf')
    return `${iso.slice(8, 10)}/${month}/${iso.slice(0, 4)}:${iso.slice(11, 19)} +0000`;
  if (kind === 'syslog') return `${month} ${iso.slice(8, 10)} ${iso.slice(11, 19)}`;
  return iso;
};

const isbn = (random: Random): string => {
  const body = `9781${random.digits(8)}`;
  const sum = [...body].reduce(
    (total, sign, place) => total + Number(sign) * [1, 3][place % 2]!,
    0,
  );
  const check = (10 - (sum % 10)) % 10;
  return `978-1-${body.slice(4, 8)}-${body.slice(8, 12)}-${check}`;
};

/** Texts that are not personal data. The names of people are fillers because they are not a type. */
export const FILLERS: Readonly<Record<string, Generator>> = {
  first: (random) => random.pick(FIRST_NAMES),
  last: (random) => random.pick(LAST_NAMES),
  city: (random) => random.pick(CITIES),
  word: (random) => random.pick(WORDS),
  int: (random, { options: [range = '1-9'] }) => {
    const [from = 1, to = 9] = range.split('-').map(Number);
    return String(random.integer(from, to));
  },
  digits,
  hex: (random, form) => random.hex(numberOption(form, 8)),
  alnum: (random, form) =>
    `${random.text(CAPITALS, 2)}${random.text(CAPITALS + DIGITS, numberOption(form, 8) - 2)}`,
  base64: (random, form) => random.text(ALPHANUMERIC, numberOption(form, 64)),
  uuid: (random) =>
    `${random.hex(8)}-${random.hex(4)}-4${random.hex(3)}-${random.pick(['8', '9', 'a', 'b'])}${random.hex(3)}-${random.hex(12)}`,
  md5: (random) => random.hex(32),
  sha1: (random) => random.hex(40),
  sha256: (random) => random.hex(64),
  version: (random, form) =>
    Array.from({ length: numberOption(form, 3) }, () => random.integer(0, 30)).join('.'),
  price: (random, { options: [currency = 'USD'] }) => {
    const amount = `${random.integer(3, 990)}.${random.pick(['00', '50', '90', '99'])}`;
    return CURRENCIES[currency]?.(amount) ?? amount;
  },
  date: (random, form) => writtenDate(day(random), random, form),
  datetime,
  clock,
  epoch: (random) => String(Math.floor(moment(random).getTime() / 1000)),
  epochms: (random) => String(moment(random).getTime()),
  coords: (random) =>
    `${random.integer(-60, 60)}.${random.digits(5)}, ${random.integer(-150, 150)}.${random.digits(5)}`,
  isbn,
  ean13: (random) => `2${random.digits(12)}`,
  badcard: invalidCard,
  badiban: invalidIban,
  badssn: invalidSsn,
  badip: (random) =>
    `${random.integer(256, 999)}.${random.integer(1, 9)}.${random.integer(256, 999)}.1`,
};
