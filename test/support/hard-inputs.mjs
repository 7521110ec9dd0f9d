// The inputs that every way into the memory is tried with: the SDK, each adapter, and MCP. A test names what it
// expects of each; a new input is added here, and every test has it.

const HIGH = '\uD83D';
const LOW = '\uDE00';

/** Texts as models and tools write them, by what is hard about them. */
export const HARD_TEXTS = [
  ['empty', ''],
  ['a space', ' '],
  ['line feeds', '\n\n'],
  ['carriage returns', 'one\r\ntwo\r\n'],
  ['a tab and a form feed', 'a\tb\fc'],
  ['U+0000', 'a\u0000b'],
  ['U+0000 alone', '\u0000'],
  ['many U+0000', '\u0000'.repeat(1_000)],
  ['U+0001 to U+001F', String.fromCharCode(...Array.from({ length: 31 }, (_, code) => code + 1))],
  ['U+007F and U+0085', '\u007F\u0085'],
  ['a high surrogate alone', `a${HIGH}b`],
  ['a low surrogate alone', `a${LOW}b`],
  ['surrogates in the wrong order', `${LOW}${HIGH}`],
  ['a high surrogate at the end', `cut off ${HIGH}`],
  ['two high surrogates', HIGH + HIGH + LOW],
  ['an emoji', HIGH + LOW],
  ['a family of emojis', '👩‍👩‍👧‍👦'],
  ['noncharacters', '\uFFFE\uFFFF'],
  ['a byte order mark', '\uFEFFtext'],
  ['line and paragraph separators', 'a\u2028b\u2029c'],
  ['right-to-left marks', '\u202Eabc\u202C'],
  ['a combining accent', 'e\u0301'],
  ['the replacement character', '\uFFFD'],
  ['an escape that looks like U+0000', 'a\\u0000b'],
  ['an escape that looks like a surrogate', 'a\\ud83d b'],
  ['a backslash at the end', 'path\\'],
  ['JSON that looks erased', '{"erased":true}'],
  ['JSON that looks like bytes', '{"$bytes_base64":"AAAA"}'],
  ['JSON that looks like a date', '{"$mace_date":"2026-01-01T00:00:00.000Z"}'],
  ['base64', 'eyJhIjoxfQ=='],
  ['our placeholder', '[ERASED]'],
  ['a redaction', '[REDACTED:email]'],
  ['a percent-encoded path', '%2e%2e%2f'],
  ['the name __proto__', '__proto__'],
  ['markup', '<script>alert(1)</script>'],
  ['20,000 letters', 'word '.repeat(4_000)],
  ['100,000 letters', 'word '.repeat(20_000)],
  ['70,000 emojis', (HIGH + LOW).repeat(70_000)],
  ['100,000 quotes', '"'.repeat(100_000)],
  ['100,000 U+0000', '\u0000'.repeat(100_000)],
].map(([name, text]) => ({ name, text }));

/** Returns a text as a store holds it, if it is short enough: what cannot be stored is U+FFFD. */
export const stored = (text) => text.replaceAll('\u0000', '\uFFFD').toWellFormed();

/** Returns the number of characters of a text that no store holds. */
export function replacedIn(text) {
  const kept = stored(text);
  return Array.from({ length: text.length }).filter((_, place) => text[place] !== kept[place])
    .length;
}

/** True for a text that no record of 64 KiB and no field of 16,384 characters holds whole. */
export const isOverLong = (text) => text.length > 16_000;

class Point {
  constructor() {
    this.x = 1;
  }
}
const cyclic = {};
cyclic.self = cyclic;
const nested = (depth) => JSON.parse(`${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`);

/** Values of users that look like ours. Each comes back as it was. */
export const LOOKALIKES = [
  { erased: true },
  { erased: true, more: 1 },
  { erased: false },
  { redacted: true, type: 'email' },
  { sealed: { jwe: 'x', type: 'email' } },
  { $bytes_base64: 'AAAA' },
  { $bytes_base64: 1 },
  { $$bytes_base64: 'AAAA' },
  { $$$bytes_base64: { $bytes_base64: 'AAAA' } },
  { $mace_date: '2026-01-01T00:00:00.000Z' },
  { $mace_json: '{"a":1}' },
  { $mace_json: 'not JSON' },
  { $mace_carried: { replaced: 1, cut: 1 } },
  { $$mace_carried: 1 },
  { $mace_map: [[1, 2]] },
  { $mace_set: [1] },
  { $mace_bigint: '1' },
  { $mace_number: 'NaN' },
  { $mace_unknown: 1 },
  { $date: '2026-01-01T00:00:00.000Z' },
  { type: 'json', value: 1 },
  { type: 'json', base64: 'AAAA' },
  { value: 1 },
  { text: 'a', cut: 3 },
  { lc: 2, type: 'undefined' },
  { __proto__x: 1, constructor: 1, toJSON: 'text' },
  { '': 1, ' ': 2 },
  { 'a.b': 1, 'a/b': 2, 'a~b': 3 },
  { 0: 'zero', length: 1 },
  { '[ERASED]': '[ERASED]' },
  { $: 1, $$: 2 },
  { hidden_number: 1, key: 'key', namespace: ['n'] },
  { nested: { erased: true }, list: [{ erased: true }] },
];

/** Values that JSON does not have, or that a store may change. `kept` is what comes back if it is not refused. */
export const HARD_VALUES = [
  ['NaN', NaN],
  ['Infinity', Infinity],
  ['-Infinity', -Infinity],
  ['-0', -0, 0],
  ['a whole number beyond 2^53', 1e21],
  ['a small number', 5e-324],
  ['a bigint', 12345678901234567890n],
  ['a Date', new Date('2026-01-01T00:00:00.000Z')],
  ['bytes', new Uint8Array([0, 128, 255])],
  ['a Map', new Map([['a', new Map([[1, 2n]])]])],
  ['a Set', new Set([1, new Date(0)])],
  ['an undefined property', { a: undefined, b: 1 }, { b: 1 }],
  ['null', null],
  ['nested 60 deep', nested(60)],
  ['nested 300 deep', nested(300)],
  ['20,000 numbers in a list', Array.from({ length: 20_000 }, (_, place) => place % 10)],
].map(([name, value, kept = value]) => ({ name, value, kept }));

/** Values that have to be refused by name and place, because nothing can be made of them later. */
export const UNCARRIABLE_VALUES = [
  ['a function', () => 1],
  ['a symbol', Symbol('s')],
  ['an object of a class', new Point()],
  ['a Date without a time', new Date(NaN)],
  ['an object that contains itself', cyclic],
  ['undefined in a list', [undefined]],
  ['a list with holes', new Array(2)],
  ['an Error', new Error('e')],
  ['a URL', new URL('http://a.test')],
  ['a RegExp', /a/],
  ['a typed array that is not bytes', new Uint16Array(2)],
].map(([name, value]) => ({ name, value }));

/** Ids that become one text if they are joined. */
export const JOINABLE_IDS = [
  [
    ['a/b', 'c'],
    ['a', 'b/c'],
  ],
  [
    ['a', 'b'],
    ['a/b', ''],
  ],
  [
    ['a:b', 'c'],
    ['a', 'b:c'],
  ],
  [
    ['a b', 'c'],
    ['a', 'b c'],
  ],
  [
    ['a%2Fb', 'c'],
    ['a', 'b%2Fc'],
  ],
  [
    ['a,b', 'c'],
    ['a', 'b,c'],
  ],
  [
    ['/', 'a'],
    ['', '/a'],
  ],
];

/** Names that differ only in their Unicode form. */
export const NAME_FORMS = ['caf\u00E9', 'cafe\u0301'];

/** Returns `count` ids whose order as texts is not the order in which they are made. */
export const idsInOrder = (count = 12) =>
  Array.from({ length: count }, (_, place) => `${place + 1}`);
