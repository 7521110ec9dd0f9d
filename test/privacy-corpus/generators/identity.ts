import { CAPITALS, type Random } from '../random.js';
import { luhnDigit, mod1110Digit, verhoeffDigit, weighted } from './checksums.js';
import { entryOf, grouped, pickForm, type Generator } from './slot.js';

const two = (value: number): string => String(value).padStart(2, '0');

/** Draws until the number has a valid check digit: some checksums leave no digit for some numbers. */
function drawn(draw: () => string | undefined): string {
  for (;;) {
    const number = draw();
    if (number !== undefined) return number;
  }
}

const birthDay = (random: Random) => ({
  year: random.integer(1940, 1999),
  month: two(random.integer(1, 12)),
  day: two(random.integer(1, 28)),
});

export const usSsn: Generator = (random, form) => {
  const area = drawn(() => {
    const number = random.integer(100, 899);
    return number === 666 ? undefined : String(number);
  });
  const parts = [
    area,
    two(random.integer(1, 99)),
    String(random.integer(1, 9999)).padStart(4, '0'),
  ];
  const named = form.options.length > 0 ? pickForm(random, form, ['dashed', 'bare', 'spaced']) : '';
  return parts.join(named === 'bare' ? '' : named === 'spaced' ? ' ' : '-');
};

/** Numbers that the authority never gives out: the area is 000, 666 or above 899. */
export const invalidSsn: Generator = (random) =>
  `${random.pick(['000', '666', '950', '987'])}-${two(random.integer(1, 49))}-${random.digits(4)}`;

interface IdScheme {
  readonly draw: (random: Random) => string;
  /** The usual written forms, each by its name; the first is the default. */
  readonly forms: Readonly<Record<string, (bare: string) => string>>;
}

const bare = (text: string): string => text;
const inGroups =
  (...lengths: number[]) =>
  (text: string): string =>
    grouped(text, lengths, ' ');

const DNI_LETTERS = 'TRWAGMYFPDXBNJZSQVHLCKE';
const spanishId = (random: Random): string => {
  const digits = random.digits(random.pick([7, 8]));
  const foreigner = digits.length === 7 ? random.integer(0, 2) : undefined;
  const letter = DNI_LETTERS[Number(`${foreigner ?? ''}${digits}`) % 23]!;
  return `${foreigner === undefined ? '' : 'XYZ'[foreigner]!}${digits}${letter}`;
};

/** The values of the characters at odd places of a codice fiscale; letters follow the digits. */
const ODD_VALUES = [
  1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23,
];
const codiceFiscale = (random: Random): string => {
  const { year, day } = birthDay(random);
  const dayOrLater = two(Number(day) + (random.isTrue(0.5) ? 40 : 0));
  const text = [
    random.text('BCDFGLMNPRSTVZ', 6),
    two(year % 100),
    random.text('ABCDEHLMPRST', 1),
    dayOrLater,
    random.pick(['H501', 'F205', 'L219', 'A944', 'D612']),
  ].join('');
  const sum = [...text].reduce((total, sign, place) => {
    const value = /\d/.test(sign) ? Number(sign) : CAPITALS.indexOf(sign);
    return total + (place % 2 === 0 ? ODD_VALUES[value]! : value);
  }, 0);
  return `${text}${CAPITALS[sum % 26]!}`;
};

const frenchNir = (random: Random): string => {
  const { year, month } = birthDay(random);
  const department = two(random.integer(21, 89));
  const number = `${random.integer(1, 2)}${two(year % 100)}${month}${department}${random.digits(6)}`;
  return `${number}${two(97 - Number(BigInt(number) % 97n))}`;
};

/** In a German tax number, one of the first ten digits occurs twice and the others at most once. */
const germanTaxNumber = (random: Random): string =>
  drawn(() => {
    const digits = `${random.integer(1, 9)}${random.digits(9)}`;
    return new Set(digits).size === 9 ? `${digits}${mod1110Digit(digits)}` : undefined;
  });

const dutchBsn = (random: Random): string =>
  drawn(() => {
    const digits = `${random.integer(1, 9)}${random.digits(7)}`;
    const check = weighted(digits, [9, 8, 7, 6, 5, 4, 3, 2]) % 11;
    return check === 10 ? undefined : `${digits}${check}`;
  });

const pesel = (random: Random): string => {
  const { year, month, day } = birthDay(random);
  const digits = `${two(year % 100)}${month}${day}${random.digits(4)}`;
  return `${digits}${(10 - (weighted(digits, [1, 3, 7, 9]) % 10)) % 10}`;
};

const portugueseNif = (random: Random): string => {
  const digits = `${random.pick(['1', '2'])}${random.digits(7)}`;
  const check = 11 - (weighted(digits, [9, 8, 7, 6, 5, 4, 3, 2]) % 11);
  return `${digits}${check > 9 ? 0 : check}`;
};

const personnummer = (random: Random): string => {
  const { year, month, day } = birthDay(random);
  const number = `${two(year % 100)}${month}${day}${random.digits(3)}`;
  return `${year}${month}${day}${number.slice(6)}${luhnDigit(number)}`;
};

const cpf = (random: Random): string => {
  const check = (digits: string): number => {
    const weights = [...digits].map((_, place) => digits.length + 1 - place);
    return ((weighted(digits, weights) * 10) % 11) % 10;
  };
  const digits = `${random.integer(1, 9)}${random.digits(8)}`;
  const first = check(digits);
  return `${digits}${first}${check(`${digits}${first}`)}`;
};

const aadhaar = (random: Random): string => {
  const digits = `${random.integer(2, 9)}${random.digits(10)}`;
  return `${digits}${verhoeffDigit(digits)}`;
};

const chineseId = (random: Random): string => {
  const { year, month, day } = birthDay(random);
  const area = random.pick(['330106', '110105', '440305', '310115']);
  const digits = `${area}${year}${month}${day}${random.digits(3)}`;
  const sum = weighted(digits, [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2]);
  return `${digits}${'10X98765432'[sum % 11]!}`;
};

const finnishId = (random: Random): string => {
  const { year, month, day } = birthDay(random);
  const date = `${day}${month}${two(year % 100)}`;
  const serial = String(random.integer(2, 899)).padStart(3, '0');
  return `${date}-${serial}${'0123456789ABCDEFHJKLMNPRSTUVWXY'[Number(date + serial) % 31]!}`;
};

const belgianNumber = (random: Random): string => {
  const { year, month, day } = birthDay(random);
  const digits = `${two(year % 100)}${month}${day}${String(random.integer(1, 997)).padStart(3, '0')}`;
  return `${digits}${two(97 - (Number(digits) % 97))}`;
};

const swissAhv = (random: Random): string => {
  const digits = `756${random.digits(9)}`;
  return `${digits}${(10 - (weighted(digits, [1, 3]) % 10)) % 10}`;
};

const turkishId = (random: Random): string => {
  const digits = `${random.integer(1, 9)}${random.digits(8)}`;
  const odd = weighted(digits, [1, 0]);
  const even = weighted(digits, [0, 1]);
  const tenth = (((odd * 7 - even) % 10) + 10) % 10;
  return `${digits}${tenth}${(odd + even + tenth) % 10}`;
};

const nhsNumber = (random: Random): string =>
  drawn(() => {
    const digits = `${random.pick(['4', '6', '7'])}${random.digits(8)}`;
    const check = (11 - (weighted(digits, [10, 9, 8, 7, 6, 5, 4, 3, 2]) % 11)) % 11;
    return check === 10 ? undefined : `${digits}${check}`;
  });

const canadianSin = (random: Random): string => {
  const digits = `${random.pick(['1', '2', '4', '5', '6', '7'])}${random.digits(7)}`;
  return `${digits}${luhnDigit(digits)}`;
};

const norwegianNumber = (random: Random): string =>
  drawn(() => {
    const { year, month, day } = birthDay(random);
    const digits = `${day}${month}${two(year % 100)}${random.integer(100, 499)}`;
    const first = (11 - (weighted(digits, [3, 7, 6, 1, 8, 9, 4, 5, 2]) % 11)) % 11;
    const all = `${digits}${first}`;
    const second = (11 - (weighted(all, [5, 4, 3, 2, 7, 6, 5, 4, 3, 2]) % 11)) % 11;
    return first === 10 || second === 10 ? undefined : `${all}${second}`;
  });

const myNumber = (random: Random): string => {
  const digits = `${random.integer(1, 9)}${random.digits(10)}`;
  const remainder = weighted(digits, [6, 5, 4, 3, 2, 7, 6, 5, 4, 3, 2]) % 11;
  return `${digits}${remainder <= 1 ? 0 : 11 - remainder}`;
};

const koreanNumber = (random: Random): string => {
  const { year, month, day } = birthDay(random);
  const digits = `${two(year % 100)}${month}${day}${random.integer(1, 2)}${random.digits(5)}`;
  const sum = weighted(digits, [2, 3, 4, 5, 6, 7, 8, 9, 2, 3, 4, 5]);
  return `${digits}${(11 - (sum % 11)) % 10}`;
};

const ID_SCHEMES: Readonly<Record<string, IdScheme>> = {
  ES: { draw: spanishId, forms: { bare } },
  IT: { draw: codiceFiscale, forms: { bare } },
  FR: { draw: frenchNir, forms: { bare, spaced: inGroups(1, 2, 2, 2, 3, 3, 2) } },
  DE: { draw: germanTaxNumber, forms: { spaced: inGroups(2, 3, 3, 3), bare } },
  NL: { draw: dutchBsn, forms: { bare } },
  PL: { draw: pesel, forms: { bare } },
  PT: { draw: portugueseNif, forms: { bare, spaced: inGroups(3, 3, 3) } },
  SE: {
    draw: personnummer,
    forms: {
      dashed: (text) => `${text.slice(0, 8)}-${text.slice(8)}`,
      short: (text) => `${text.slice(2, 8)}-${text.slice(8)}`,
      bare,
    },
  },
  BR: {
    draw: cpf,
    forms: {
      formatted: (text) => `${grouped(text, [3, 3, 3], '.')}-${text.slice(9)}`,
      bare,
    },
  },
  IN: { draw: aadhaar, forms: { spaced: inGroups(4, 4, 4), bare } },
  CN: { draw: chineseId, forms: { bare } },
  FI: { draw: finnishId, forms: { bare } },
  BE: {
    draw: belgianNumber,
    forms: {
      formatted: (text) => `${grouped(text, [2, 2, 2], '.')}-${text.slice(6, 9)}.${text.slice(9)}`,
      bare,
    },
  },
  CH: { draw: swissAhv, forms: { formatted: (text) => grouped(text, [3, 4, 4, 2], '.'), bare } },
  TR: { draw: turkishId, forms: { bare } },
  GB: { draw: nhsNumber, forms: { spaced: inGroups(3, 3, 4), bare } },
  CA: { draw: canadianSin, forms: { spaced: inGroups(3, 3, 3), bare } },
  NO: { draw: norwegianNumber, forms: { bare, spaced: inGroups(6, 5) } },
  JP: { draw: myNumber, forms: { spaced: inGroups(4, 4, 4), bare } },
  KR: { draw: koreanNumber, forms: { dashed: (text) => grouped(text, [6, 7], '-') } },
};

export const nationalId: Generator = (random, form) => {
  const { draw, forms } = entryOf(ID_SCHEMES, form);
  const [usual = '', ...others] = Object.keys(forms);
  const name = [usual, ...others].find((each) => form.options.includes(each)) ?? usual;
  return forms[name]!(draw(random));
};

const PASSPORTS: Readonly<Record<string, readonly string[]>> = {
  US: ['#########', '@########'],
  GB: ['#########'],
  CA: ['@@######'],
  DE: ['C01X#T#*#', 'C4F#K##H#', 'L#G#N###T'],
  FR: ['##@@#####'],
  ES: ['@@@######'],
  IT: ['@@#######'],
  NL: ['N@*######'],
  PT: ['@@######'],
  PL: ['@@#######'],
  BR: ['@@######'],
  IN: ['@#######'],
  JP: ['T@#######'],
  CN: ['E########', 'E@#######'],
  SE: ['########'],
  AU: ['@#######'],
};

/** Check digit of a field in the machine readable zone of a passport (ICAO 9303). */
const mrzDigit = (field: string): number => {
  const values = [...field].map((sign) => (sign === '<' ? 0 : parseInt(sign, 36)));
  return values.reduce((sum, value, place) => sum + value * [7, 3, 1][place % 3]!, 0) % 10;
};

/** The second line of the machine readable zone; its country UTO is the fictional one of ICAO 9303. */
function mrzLine(random: Random): string {
  const { year, month, day } = birthDay(random);
  const number = `L${random.digits(6)}C${random.digits(1)}`;
  const birth = `${two(year % 100)}${month}${day}`;
  const expiry = `${random.integer(28, 35)}0${random.integer(1, 9)}15`;
  const personal = '<'.repeat(14);
  const fields = [number, birth, expiry].map((field) => `${field}${mrzDigit(field)}`);
  const all = `${fields.join('')}${personal}0`;
  return `${fields[0]}UTO${fields[1]}${random.pick(['F', 'M'])}${fields[2]}${personal}0${mrzDigit(all)}`;
}

export const passport: Generator = (random, form) =>
  form.options.includes('mrz')
    ? mrzLine(random)
    : random.pattern(random.pick(entryOf(PASSPORTS, form)));
