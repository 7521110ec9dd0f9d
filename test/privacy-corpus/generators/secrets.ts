// Each secret is put together when a test runs, so no file contains a text that a secret scanner rejects.
import { ALPHANUMERIC, BASE64URL, CAPITALS, SMALL, DIGITS, type Random } from '../random.js';
import { pickForm, type Generator } from './slot.js';

const BASE64 = `${ALPHANUMERIC}+/`;

const API_KEYS: Readonly<Record<string, (random: Random) => string>> = {
  aws: (random) => `${random.pick(['AKI', 'ASI'])}A${random.text(`${CAPITALS}234567`, 16)}`,
  awssecret: (random) => `${random.text(BASE64, 39)}${random.text(ALPHANUMERIC, 1)}`,
  stripe: (random) =>
    ['sk', random.pick(['live', 'test']), random.text(ALPHANUMERIC, 24)].join('_'),
  google: (random) =>
    ['AI', 'za', random.text(BASE64URL, 34), random.text(ALPHANUMERIC, 1)].join(''),
  openai: (random) =>
    [
      'sk',
      'proj',
      `${random.text(ALPHANUMERIC, 74)}T3Blbk${'FJ'}${random.text(ALPHANUMERIC, 74)}`,
    ].join('-'),
  anthropic: (random) => ['sk', 'ant', 'api03', `${random.text(BASE64URL, 93)}AA`].join('-'),
  sendgrid: (random) =>
    ['SG', random.text(ALPHANUMERIC, 22), random.text(ALPHANUMERIC, 43)].join('.'),
  twilio: (random) => ['S', 'K', random.hex(32)].join(''),
  mailgun: (random) => ['key', random.hex(32)].join('-'),
  hex: (random) => random.hex(32),
  alnum: (random) => random.text(ALPHANUMERIC, 40),
};

/** A slot without options gets a key whose shape names its issuer. */
const ISSUED_KEYS = ['aws', 'stripe', 'google', 'openai', 'anthropic', 'sendgrid'];

export const apiKey: Generator = (random, form) => {
  const named = form.options.length > 0 ? Object.keys(API_KEYS) : ISSUED_KEYS;
  return API_KEYS[pickForm(random, form, named)]!(random);
};

const TOKENS: Readonly<Record<string, (random: Random) => string>> = {
  github: (random) => [random.pick(['ghp', 'gho', 'ghs']), random.text(ALPHANUMERIC, 36)].join('_'),
  gitlab: (random) => ['glpat', random.text(ALPHANUMERIC, 20)].join('-'),
  slack: (random) =>
    ['xoxb', random.digits(11), random.digits(12), random.text(ALPHANUMERIC, 24)].join('-'),
  npm: (random) => ['npm', random.text(ALPHANUMERIC, 36)].join('_'),
  huggingface: (random) => ['hf', random.text(SMALL + CAPITALS, 34)].join('_'),
  telegram: (random) =>
    `${random.integer(1, 9)}${random.digits(9)}:AA${random.text(BASE64URL, 32)}${random.text(ALPHANUMERIC, 1)}`,
  opaque: (random) => `${random.text(BASE64URL, 42)}${random.text(ALPHANUMERIC, 1)}`,
  hex: (random) => random.hex(40),
};

export const token: Generator = (random, form) =>
  TOKENS[pickForm(random, form, Object.keys(TOKENS))]!(random);

const base64url = (value: object): string =>
  Buffer.from(JSON.stringify(value)).toString('base64url');

/** The claims name no person: the subject is an opaque id. */
export const jwt: Generator = (random) => {
  const [alg, length] = random.pick([
    ['HS256', 43],
    ['ES256', 86],
    ['RS256', 342],
  ] as const);
  const issued = random.integer(1_700_000_000, 1_790_000_000);
  const claims = { sub: `acct_${random.hex(12)}`, iat: issued, exp: issued + 3600, scope: 'read' };
  const signature = random.text(ALPHANUMERIC, length);
  return [base64url({ alg, typ: 'JWT' }), base64url(claims), signature].join('.');
};

interface KeyFile {
  readonly label: string;
  /** How the base64 text of such a key begins. */
  readonly start: string;
  readonly length: number;
}

const KEY_FILES: Readonly<Record<string, KeyFile>> = {
  rsa: { label: 'RSA', start: 'MIIEpAIBAAKCAQEA', length: 1588 },
  ec: { label: 'EC', start: 'MHcCAQEEI', length: 164 },
  openssh: { label: 'OPENSSH', start: 'b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQ', length: 348 },
  pkcs8: { label: '', start: 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASC', length: 1624 },
  pgp: { label: 'PGP', start: 'lQOYBGZ', length: 900 },
};

export const privateKey: Generator = (random, form) => {
  const kind = pickForm(random, form, Object.keys(KEY_FILES));
  const { label, start, length } = KEY_FILES[kind]!;
  const name = `${label && `${label} `}PRIVATE ${'KEY'}${kind === 'pgp' ? ' BLOCK' : ''}`;
  const body = `${start}${random.text(BASE64, length - start.length)}`.match(/.{1,64}/g)!;
  const dashes = '-'.repeat(5);
  const lines = [
    `${dashes}BEGIN ${name}${dashes}`,
    ...(kind === 'pgp' ? [''] : []),
    ...body,
    ...(kind === 'pgp' ? [`=${random.text(ALPHANUMERIC, 4)}`] : []),
    `${dashes}END ${name}${dashes}`,
  ];
  // `escaped` is the key as one line of a .env file has it.
  return lines.join(form.options.includes('escaped') ? '\\n' : '\n');
};

const PASSWORD_WORDS = ['Sommer', 'dragonfly', 'Kestrel', 'correcthorse', 'qwerty', 'Bratwurst'];

/** Passwords as people and machines choose them. They end with no sign that could end a sentence. */
export const password: Generator = (random, form) => {
  switch (pickForm(random, form, ['plain', 'word', 'strong'])) {
    case 'plain':
      return `${random.text(ALPHANUMERIC, random.integer(11, 19))}${random.text(DIGITS, 1)}`;
    case 'word': {
      const end = random.pick(['x', 'Z', 'k']);
      return `${random.pick(PASSWORD_WORDS)}${random.pick(['', '-', '_'])}${random.integer(10, 2029)}${end}`;
    }
    case 'strong':
      return `${random.text(`${ALPHANUMERIC}!#$%*+-_^`, random.integer(9, 17))}${random.text(ALPHANUMERIC, 2)}`;
  }
};
