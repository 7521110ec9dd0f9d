import type { Random } from '../random.js';
import { FIRST_NAMES, LAST_NAMES } from './names.js';
import { entryOf, pickForm, type Generator, type SlotForm } from './slot.js';

/** Invented organisations, so that an address at their domains belongs to no real person. */
const DOMAINS = [
  'brindlewick-foods',
  'novalint',
  'quillforge',
  'zumbracorp',
  'harrowgate-logistics',
  'ostmarkwerke',
  'velourdane',
  'pinecrestledger',
  'mail.tollivant',
  'uni-falkenrode',
  'kestrelmoor',
];
const TLDS: Readonly<Record<string, readonly string[]>> = {
  US: ['com', 'io', 'org', 'net', 'example'],
  GB: ['co.uk', 'org.uk', 'com', 'example'],
  BR: ['com.br', 'example'],
  JP: ['co.jp', 'example'],
  IN: ['co.in', 'in', 'example'],
};

const plain = (name: string): string =>
  name
    .normalize('NFD')
    .replace(/[^a-z]/gi, '')
    .toLowerCase();

export const email: Generator = (random, form) => {
  const first = plain(random.pick(FIRST_NAMES));
  const last = plain(random.pick(LAST_NAMES));
  const tld = random.pick(TLDS[form.region] ?? [form.region.toLowerCase(), 'eu', 'example']);
  const domain = `${random.pick(DOMAINS)}.${tld}`;
  const locals = {
    name: `${first}.${last}`,
    initial: `${first[0]}${last}`,
    underscore: `${last}_${first}`,
    numbered: `${first}${random.integer(10, 999)}`,
    hyphen: `${first}-${last}`,
    plus: `${first}.${last}+${random.pick(['news', 'shop', 'billing', 'test2'])}`,
    short: `${first[0]}${last[0]}`,
    caps: `${capitalised(first)}.${capitalised(last)}`,
  };
  return `${locals[pickForm(random, form, Object.keys(locals) as (keyof typeof locals)[])]}@${domain}`;
};

const capitalised = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1);

interface PhonePlan {
  readonly code: string;
  /** The digit before a national number, which the international form leaves out. */
  readonly trunk: '' | '0';
  /** Numbers without the trunk digit. Most of those of CA, DE, FR, GB, SE and US are reserved for fiction. */
  readonly numbers: readonly string[];
  /** The separators of national forms: the first one follows the first group. */
  readonly separators: readonly (readonly [first: string, others: string])[];
}

const US_NUMBERS = ['212 555 01##', '415 555 01##', '312 555 01##', '617 555 01##', '303 555 01##'];
const SPACES = [' ', ' '] as const;
const DASHES = ['-', '-'] as const;

const PHONE_PLANS: Readonly<Record<string, PhonePlan>> = {
  US: { code: '1', trunk: '', numbers: US_NUMBERS, separators: [DASHES] },
  CA: {
    code: '1',
    trunk: '',
    numbers: ['416 555 01##', '604 555 01##', '514 555 01##'],
    separators: [DASHES],
  },
  GB: {
    code: '44',
    trunk: '0',
    numbers: ['20 7946 0###', '7400 123###', '161 496 0###', '113 496 0###', '131 496 0###'],
    separators: [SPACES],
  },
  DE: {
    code: '49',
    trunk: '0',
    numbers: [
      '30 23125 ###',
      '40 66969 ###',
      '221 4710 ###',
      '69 90009 ###',
      '89 99998 ###',
      '171 39200 ##',
    ],
    separators: [SPACES, ['/', ''], ['/', ' '], ['-', '']],
  },
  AT: {
    code: '43',
    trunk: '0',
    numbers: ['1 58858 ##', '664 37#####', '316 822###'],
    separators: [SPACES, ['/', ' ']],
  },
  CH: {
    code: '41',
    trunk: '0',
    numbers: ['44 668 18 ##', '79 214 ## ##', '31 310 27 ##'],
    separators: [SPACES],
  },
  FR: {
    code: '33',
    trunk: '0',
    numbers: [
      '1 99 00 ## ##',
      '2 61 91 ## ##',
      '3 53 01 ## ##',
      '4 65 71 ## ##',
      '5 36 49 ## ##',
      '6 12 34 ## ##',
    ],
    separators: [SPACES, ['.', '.']],
  },
  ES: {
    code: '34',
    trunk: '',
    numbers: ['612 34# ###', '655 21# ###', '91 187 ## ##', '93 159 ## ##'],
    separators: [SPACES],
  },
  IT: {
    code: '39',
    trunk: '',
    numbers: ['06 5550 ####', '02 5550 ####', '347 555 ####', '333 555 ####'],
    separators: [SPACES],
  },
  NL: {
    code: '31',
    trunk: '0',
    numbers: ['20 555 ####', '6 1355 ####', '30 234 5###'],
    separators: [
      ['-', ''],
      ['-', ' '],
    ],
  },
  BE: {
    code: '32',
    trunk: '0',
    numbers: ['470 12 ## ##', '2 555 12 ##', '9 222 33 ##'],
    separators: [SPACES],
  },
  PT: {
    code: '351',
    trunk: '',
    numbers: ['912 345 ###', '21 355 5###', '931 555 ###'],
    separators: [SPACES],
  },
  PL: {
    code: '48',
    trunk: '',
    numbers: ['501 555 ###', '22 555 ## ##', '602 100 ###'],
    separators: [SPACES, DASHES],
  },
  SE: {
    code: '46',
    trunk: '0',
    numbers: ['70 174 06 ##', '8 465 004 ##', '31 390 06 ##'],
    separators: [['-', ' ']],
  },
  NO: { code: '47', trunk: '', numbers: ['22 55 5# ##', '412 34 ###'], separators: [SPACES] },
  BR: {
    code: '55',
    trunk: '',
    numbers: ['11 95555 ####', '21 2555 ####', '31 98555 ####'],
    separators: [[' ', '-']],
  },
  JP: {
    code: '81',
    trunk: '0',
    numbers: ['90 5555 ####', '3 5555 ####', '6 6555 ####'],
    separators: [DASHES],
  },
  CN: {
    code: '86',
    trunk: '',
    numbers: ['138 0055 ####', '159 5550 ####', '186 0055 ####'],
    separators: [SPACES, DASHES],
  },
  IN: { code: '91', trunk: '', numbers: ['98765 5####', '90000 5####'], separators: [SPACES] },
  SA: { code: '966', trunk: '0', numbers: ['50 555 ####', '11 455 ####'], separators: [SPACES] },
  AU: {
    code: '61',
    trunk: '0',
    numbers: ['491 570 15#', '2 5550 ####', '3 5550 ####'],
    separators: [SPACES],
  },
};

export const PHONE_REGIONS: readonly string[] = Object.keys(PHONE_PLANS);

const PHONE_FORMS = [
  'national',
  'intl',
  'e164',
  'zeros',
  'paren',
  'dashes',
  'dots',
  'bare',
] as const;
const COMMON_PHONE_FORMS = PHONE_FORMS.slice(0, 3);

export const phone: Generator = (random, form) => {
  const { code, trunk, numbers, separators } = entryOf(PHONE_PLANS, form);
  const groups = random.pattern(random.pick(numbers)).split(' ');
  const [first = '', ...others] = groups;
  const named = PHONE_FORMS.filter((each) => form.options.includes(each));
  switch (random.pick(named.length > 0 ? named : COMMON_PHONE_FORMS)) {
    case 'national': {
      const [after, between] = random.pick(separators);
      return `${trunk}${first}${after}${others.join(between)}`;
    }
    case 'intl':
      return `+${code} ${groups.join(' ')}`;
    case 'e164':
      return `+${code}${groups.join('')}`;
    case 'zeros':
      return `00${code} ${groups.join(' ')}`;
    case 'paren':
      return `(${trunk}${first}) ${others.join('-')}`;
    case 'dashes':
      return `${trunk}${groups.join('-')}`;
    case 'dots':
      return `${trunk}${groups.join('.')}`;
    case 'bare':
      return `${trunk}${groups.join('')}`;
  }
};

const DATE_FORMS = ['iso', 'german', 'slash', 'mdy', 'dashed', 'long', 'compact', 'cjk'] as const;

const DATE_FORM_OF: Readonly<Record<string, (typeof DATE_FORMS)[number]>> = {
  DE: 'german',
  AT: 'german',
  CH: 'german',
  PL: 'german',
  NO: 'german',
  FI: 'german',
  TR: 'german',
  US: 'mdy',
  NL: 'dashed',
  JP: 'cjk',
  CN: 'cjk',
  SE: 'iso',
  CA: 'iso',
};

/** Writes the date in a form that the slot names, or in the usual form of its region. */
export function writtenDate(date: Date, random: Random, form: SlotForm): string {
  const iso = date.toISOString().slice(0, 10);
  const [year, month, day] = iso.split('-') as [string, string, string];
  const named = DATE_FORMS.filter((each) => form.options.includes(each));
  switch (named.length > 0 ? random.pick(named) : (DATE_FORM_OF[form.region] ?? 'slash')) {
    case 'iso':
      return iso;
    case 'german':
      return `${day}.${month}.${year}`;
    case 'slash':
      return `${day}/${month}/${year}`;
    case 'mdy':
      return `${month}/${day}/${year}`;
    case 'dashed':
      return `${day}-${month}-${year}`;
    case 'compact':
      return `${year}${month}${day}`;
    case 'cjk':
      return `${year}年${Number(month)}月${Number(day)}日`;
    case 'long':
      return new Intl.DateTimeFormat(`${form.language}-${form.region}`, {
        dateStyle: 'long',
        timeZone: 'UTC',
      }).format(date);
  }
}

export const dateOfBirth: Generator = (random, form) => {
  const date = new Date(
    Date.UTC(random.integer(1936, 2007), random.integer(0, 11), random.integer(1, 28)),
  );
  return writtenDate(date, random, form);
};

interface AddressPlan {
  readonly streets: readonly string[];
  readonly towns: readonly string[];
  /** `{n}` is the number of the house and `{street}` the street. */
  readonly street: readonly string[];
  /** `{line}` is the street with its number; the signs `#` and `@` are those of `Random.pattern`. */
  readonly full: readonly string[];
}

/** The streets and the towns are usual names; together they name no real address on purpose. */
const ADDRESS_PLANS: Readonly<Record<string, AddressPlan>> = {
  US: {
    streets: [
      'Maple Hollow Road',
      'W Larkspur Ave',
      'Old Quarry Ln',
      'Sycamore Street',
      'Bluebird Court',
      'N 14th St',
      'Fernwood Blvd',
    ],
    towns: ['Millbrook, OH 4####', 'Harlan Falls, TX 7####', 'Cedar Point, WA 98###'],
    street: ['{n} {street}', '{n} {street}, Apt {b}', '{n} {street} #{b}'],
    full: ['{line}, {town}'],
  },
  CA: {
    streets: ['Tamarack Crescent', 'Juniper Road', 'Pioneer Street'],
    towns: ['Northbay Mills, ON K2@ #@#', 'Elkwater, AB T3@ #@#'],
    street: ['{n} {street}', '{b}-{n} {street}'],
    full: ['{line}, {town}'],
  },
  GB: {
    streets: ['Hawthorn Close', 'Mill Lane', 'Kingsbury Road', 'Primrose Terrace', 'Station Road'],
    towns: ['Wexcombe, LS4 #AB', 'Little Marden, NR9 #QX', 'Bristol BS6 #TH'],
    street: ['{n} {street}', 'Flat {b}, {n} {street}'],
    full: ['{line}, {town}'],
  },
  AU: {
    streets: ['Wattle Street', 'Kurrajong Road', 'Banksia Avenue'],
    towns: ['Millstream NSW 2###', 'Coral Bend QLD 4###'],
    street: ['{n} {street}', 'Unit {b}/{n} {street}'],
    full: ['{line}, {town}'],
  },
  DE: {
    streets: [
      'Birkenweg',
      'Lindenstraße',
      'Am Mühlbach',
      'Goethestr.',
      'Rosa-Luxemburg-Platz',
      'Alte Ziegelei',
    ],
    towns: ['0#### Falkenrode', '5#### Neuwald', '8#### Oberhain'],
    street: ['{street} {n}', '{street} {n}a'],
    full: ['{line}, {town}'],
  },
  AT: {
    streets: ['Kirchengasse', 'Erlenweg', 'Hauptstraße'],
    towns: ['1##0 Wien', '8##0 Grünbach'],
    street: ['{street} {n}', '{street} {n}/{b}'],
    full: ['{line}, {town}'],
  },
  CH: {
    streets: ['Seestrasse', 'Bergweg', 'Dorfstrasse'],
    towns: ['8### Wiesental', '3### Oberried'],
    street: ['{street} {n}'],
    full: ['{line}, {town}'],
  },
  FR: {
    streets: ['rue des Tilleuls', 'avenue Jean Moulin', 'boulevard de la Gare', 'impasse du Puits'],
    towns: ['75011 Paris', '69### Villeneuve-sur-Ance', '31### Montferrand'],
    street: ['{n} {street}', '{n} bis {street}', '{n}, {street}'],
    full: ['{line}, {town}', '{line} {town}'],
  },
  ES: {
    streets: ['Calle de los Olivos', 'C/ San Telmo', 'Avenida del Puerto', 'Plaza de la Fuente'],
    towns: ['280## Madrid', '410## Sevilla', '460## Valverde'],
    street: ['{street} {n}', '{street}, {n}, {b}º B', '{street}, {n}'],
    full: ['{line}, {town}'],
  },
  IT: {
    streets: ['Via dei Ciliegi', 'Corso Garibaldi', 'Piazza del Mercato', 'Viale delle Rose'],
    towns: ['00### Roma', '20### Borgovecchio (MI)', '50### Firenze'],
    street: ['{street} {n}', '{street}, {n}'],
    full: ['{line}, {town}'],
  },
  NL: {
    streets: ['Kastanjelaan', 'Dorpsstraat', 'Prinsengracht', 'Molenweg'],
    towns: ['1#3# AB Amsterdam', '35## KL Utrecht', '6### TX Veldhoven'],
    street: ['{street} {n}', '{street} {n}-{b}'],
    full: ['{line}, {town}'],
  },
  PT: {
    streets: ['Rua das Oliveiras', 'Avenida da Liberdade', 'Travessa do Poço'],
    towns: ['12##-### Lisboa', '40##-### Porto'],
    street: ['{street} {n}', '{street}, n.º {n}'],
    full: ['{line}, {town}'],
  },
  BR: {
    streets: ['Rua das Acácias', 'Avenida Ipê Amarelo', 'Travessa Boa Vista'],
    towns: ['São Paulo - SP, 01###-###', 'Belo Horizonte - MG, 30###-###'],
    street: ['{street}, {n}', '{street}, {n}, apto {b}'],
    full: ['{line}, {town}'],
  },
  PL: {
    streets: ['ul. Lipowa', 'ul. Kwiatowa', 'al. Niepodległości', 'os. Słoneczne'],
    towns: ['00-### Warszawa', '31-### Kraków'],
    street: ['{street} {n}', '{street} {n}/{b}', '{street} {n} m. {b}'],
    full: ['{line}, {town}'],
  },
  SE: {
    streets: ['Björkvägen', 'Storgatan', 'Ängsgatan'],
    towns: ['114 ## Stockholm', '411 ## Göteborg'],
    street: ['{street} {n}', '{street} {n} B'],
    full: ['{line}, {town}'],
  },
  IN: {
    streets: ['Lotus Garden Road', 'Nehru Marg', 'MG Road', '4th Cross Street'],
    towns: ['Pune 411###', 'Chennai 600###'],
    street: ['{n}, {street}', 'Flat {b}, {n} {street}'],
    full: ['{line}, {town}'],
  },
  JP: {
    streets: ['東京都青葉区桜丘町', '大阪府緑川市本町', '神奈川県海浜市若葉台'],
    towns: ['1##-00##', '5##-00##'],
    street: [
      '{street}{b}-{n}',
      '{street}{b}丁目{n}番{b}号',
      '{street}{b}-{n} メゾン青葉{b}0{b}号室',
    ],
    full: ['〒{town} {line}'],
  },
  CN: {
    streets: ['浙江省杭州市西湖区青竹路', '北京市朝阳区松柏街', '广东省深圳市南山区海棠大道'],
    towns: ['310000', '100000', '518000'],
    street: ['{street}{n}号', '{street}{n}号{b}单元{b}0{b}室'],
    full: ['{line}'],
  },
};

export const streetAddress: Generator = (random, form) => {
  const plan = entryOf(ADDRESS_PLANS, form);
  const line = random
    .pick(plan.street)
    .replace('{street}', random.pick(plan.streets))
    .replace('{n}', String(random.integer(2, 189)))
    .replaceAll('{b}', () => String(random.integer(1, 9)));
  switch (pickForm(random, form, ['street', 'full'])) {
    case 'street':
      return line;
    case 'full':
      return random
        .pick(plan.full)
        .replace('{line}', line)
        .replace('{town}', random.pattern(random.pick(plan.towns)));
  }
};
