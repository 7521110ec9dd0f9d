import { ContextWords } from '../context-words.js';
import { FEATURE } from '../features.js';
import type { Candidate, Recogniser } from '../recogniser.js';
import { ADDRESS_WORDS } from './words.js';

/** Writes each word of a list with a small letter, a capital letter, or in capitals, as a part of a pattern. */
const anyCase = (words: string): string =>
  words
    .split(' ')
    .flatMap((word) => {
      const capital = word.slice(0, 1).toUpperCase() + word.slice(1);
      return [...new Set([word, capital, word.toUpperCase()])];
    })
    .map((word) => word.replaceAll('.', '\\.').replaceAll('_', ' '))
    .join('|');

const NAME = "[\\p{L}\\p{M}\\p{N}.'’-]{1,30}";
const CAPITAL_NAME = "\\p{Lu}[\\p{L}\\p{M}.'’-]{0,30}";
/** The name of a street or a town: capitalised words, with small words such as "de la" before them. */
const NAMES = `(?:(?:[\\p{Ll}'’]{1,4} ){0,3}${CAPITAL_NAME})(?:[ -](?:[\\p{Ll}'’]{1,4} ){0,3}${CAPITAL_NAME}){0,3}`;
const NOT_IN_WORD = '(?<![\\p{L}\\p{M}\\p{N}])';
const END = '(?![\\p{L}\\p{M}\\p{N}])';
const HOUSE = '[1-9]\\d{0,4}(?![ -]\\d{2})(?: ?[a-zA-Z](?![\\p{L}\\p{N}]))?';

/** English and Indian words that end the name of a street. */
const LAST_WORD =
  'street st avenue ave road rd lane ln drive dr boulevard blvd court ct way place pl square sq terrace parkway pkwy highway hwy close crescent row circle cir trail loop alley mews gardens grove walk wharf turnpike path crossing marg nagar';
/** Endings of Germanic and Finnish names of streets. */
const ENDING =
  'straße strasse str. weg platz allee gasse ufer damm ring steig graben chaussee straat laan plein gracht kade singel dijk hof steeg dreef vägen gatan gränd torget stigen backen veien vegen gata gaten vej gade katu tie kuja polku sokak sokağı caddesi mahallesi bulvarı';
/** French words that begin the name of a street, after the number. */
const FRENCH =
  'rue avenue av. boulevard bd chemin place allée impasse quai cours route square passage sentier faubourg ruelle esplanade';
/** Words that begin the name of a street, before the number. */
const FIRST_WORD =
  'calle c/ c. avenida avda avda. av. plaza plza paseo camino carrera travesía ronda carretera glorieta via viale corso piazza piazzale largo vicolo strada lungomare contrada rua travessa praça estrada alameda rodovia beco ul. ulica al. aleja aleje os. osiedle pl. plac strada str.';
const CYRILLIC_FIRST_WORD = 'ул. улица пр. проспект пер.';

/** A flat before the number of the house. */
const FLAT = `\\b(?:${anyCase('flat unit apt apt. apartment suite')}) [\\p{L}\\p{N}]{1,4}(?:, ?| |/)`;
const NUMBER = '(?:\\d{1,4}[-/])?\\d{1,6}[a-zA-Z]?';
const STREET = `,? (?:${NAME} ){1,5}(?:${anyCase(LAST_WORD)})${END}`;

/** Makes a pattern for a number after a name. It looks back from each number, because most words have none. */
const numberLast = (name: string): string =>
  `(?=[1-9])(?<=(?<before>${NOT_IN_WORD}${name}))(?<![\\d.,])(?<value>${HOUSE})`;

const streetAndNumber = [
  // 12 Mill Lane
  `(?=\\d)(?<!\\w)(?<value>${NUMBER}${STREET})`,
  `(?<value>${FLAT}${NUMBER}${STREET})`,
  // Lindenstraße 12
  numberLast(
    `(?:${CAPITAL_NAME}[ -]){0,3}(?:[\\p{L}\\p{M}]{2,40}|${CAPITAL_NAME}[ -])(?:${anyCase(ENDING)})(?:,? ?[Nn]o[.:]{0,2})? `,
  ),
  // 12 bis, rue de la Paix
  `(?=\\d)(?<!\\w)(?<value>\\d{1,4}(?: ?(?:bis|ter|quater|[a-zA-Z]))?,? (?:${anyCase(FRENCH)})(?: (?:[\\p{Ll}'’]{1,4} ){0,3}[\\p{L}\\p{M}'’-]{2,30})(?: ${CAPITAL_NAME}){0,3})`,
  // Calle de Alcalá, 42
  `(?<value>(?:\\b(?:${anyCase(FIRST_WORD)})|${anyCase(CYRILLIC_FIRST_WORD)})(?: ${NAME}){1,5},? (?:n(?:[.°]|o|\\.o|úm\\.?)? ?)?${HOUSE})${END}`,
  `${NOT_IN_WORD}(?<value>[Pp]\\.? ?[Oo]\\.? ?[Bb]ox \\d{1,6})(?!\\d)`,
].map((source) => new RegExp(source, 'gu'));

/** Numbers and small words that show that digits and a word such as "street" are part of a sentence. */
const SENTENCE = / (?:of|the|out|take|and|to|for|is|are|was|in|a|an|or|per|with|from) /;

/** The unit that follows a street in an address: a flat, a floor or a staircase. NFKC has already turned º into o. */
const UNIT = new RegExp(
  `^(?:(?:,? ?(?:#|${anyCase('apt apt. apartment unit suite ste ste. flat floor apto apto. piso bus lok. m. top wohnung stiege int. scala no no. no. n.o appt. appartement bât. lgh')})|,) ?(?:\\d{1,4} ?[oa°]?|\\p{Lu})(?: ?\\p{Lu})?|[/-]\\d{1,4}[a-z]?(?:/\\d{1,4})?| m\\. ?\\d{1,4}| \\p{Lu}|,? \\d{1,3}(?:[oa]| ?°)(?: ?\\p{L})?)${END}`,
  'u',
);
/** A postcode and a town: "75011 Paris", "00-123 Warszawa", "1234 AB Utrecht". */
const POSTCODE_TOWN = new RegExp(
  `^(?:,|;| -| –| in)?[ \\n](?:\\p{Lu}{1,2}-)?(?:\\d{4,6}|\\d{2}-\\d{3}|\\d{3} \\d{2}|\\d{4}-\\d{3})(?: \\p{Lu}{2})?,? ${NAMES}(?: \\(\\p{Lu}{2}\\)|, \\p{Lu}{2}${END})?`,
  'u',
);
/** A town and a postcode: "Millbrook, OH 41234", "Leeds LS4 2AB", "São Paulo - SP, 01234-567". */
const TOWN_POSTCODE = new RegExp(
  `^,?[ \\n](?:${NAMES}, ){0,2}${NAMES}(?:,? | - )(?:\\p{Lu}{2,3},? )?(?:\\d{5}-\\d{3,4}|\\d{4,6}|\\p{Lu}\\d\\p{Lu} ?\\d\\p{Lu}\\d|\\p{Lu}{1,2}\\d[\\p{Lu}\\d]? ?\\d\\p{Lu}{2})${END}`,
  'u',
);

/** How far an address may reach after its street, in characters. */
const REACH = 140;

const CONTEXT = new ContextWords(ADDRESS_WORDS);

interface Tail {
  readonly length: number;
  /** True if a town and a postcode follow. */
  readonly hasTown: boolean;
}

/** Returns what belongs to an address after the street and the number. */
function tailAfter(view: string, end: number): Tail {
  const rest = view.slice(end, end + REACH);
  let length = 0;
  for (let parts = 0; parts < 3; parts += 1) {
    const after = rest.slice(length);
    const place = POSTCODE_TOWN.exec(after) ?? TOWN_POSTCODE.exec(after);
    if (place) return { length: length + place[0].length, hasTown: true };
    const unit = UNIT.exec(after);
    if (!unit) break;
    length += unit[0].length;
  }
  return { length, hasTown: false };
}

const isSentence = (text: string): boolean =>
  SENTENCE.test(text.slice(0, text.lastIndexOf(' ') + 1));

const streetAddress: Recogniser = {
  type: 'street_address',
  category: 'medium',
  needs: FEATURE.digit | FEATURE.space,
  patterns: streetAndNumber,
  measure: ({ text, view, at, in_context }: Candidate) => {
    const tail = tailAfter(view, at + text.length);
    if (isSentence(text) || !(in_context || tail.hasTown)) return 0;
    return text.length + tail.length;
  },
  context: CONTEXT,
  score: 0.5,
};

/** A name and a number, or a number and a name, that a town and a postcode follow. */
const addressWithTown: Recogniser = {
  type: 'street_address',
  category: 'medium',
  needs: FEATURE.digit | FEATURE.space,
  patterns: [
    new RegExp(`${numberLast(`${NAMES},? `)}${END}`, 'gu'),
    new RegExp(`(?=\\d)(?<!\\w)(?<value>${NUMBER},? ${NAMES})${END}`, 'gu'),
    new RegExp(`(?<value>${FLAT}${NUMBER},? ${NAMES})${END}`, 'gu'),
  ],
  measure: ({ text, view, at }: Candidate) => {
    const tail = tailAfter(view, at + text.length);
    return tail.hasTown ? text.length + tail.length : 0;
  },
  context: CONTEXT,
  score: 0.2,
};

const HAN = '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}ー';
const PROVINCE = /[都道府県省市县縣]/;
const STREET_NUMBER = /[路街道町村台区區]\d|丁目|番|号|號/;

/** Chinese and Japanese addresses: from the larger to the smaller place, then the number. */
const hanAddress: Recogniser = {
  type: 'street_address',
  category: 'medium',
  needs: FEATURE.digit | FEATURE.beyond_ascii,
  patterns: [
    // The pattern matches backwards from the number, so that it reads each place name once.
    new RegExp(
      `(?<value>\\d{1,5}(?<=(?<before>(?:〒? ?\\d{3}-\\d{4} ?)?[${HAN}]{3,40})\\d{1,5})(?:(?:-|丁目|番地?|号楼|号|號|单元|單元|栋|棟|楼|室|弄|巷|の){1,2}\\d{0,5}){1,6}(?: ?[${HAN}]{1,16}\\d{1,5}(?:号室|室|号|階)?)?)`,
      'gu',
    ),
  ],
  measure: ({ text, in_context }: Candidate) =>
    in_context || (PROVINCE.test(text) && STREET_NUMBER.test(text)) ? text.length : 0,
  context: CONTEXT,
  score: 0.5,
};

const koreanAddress: Recogniser = {
  type: 'street_address',
  category: 'medium',
  needs: FEATURE.digit | FEATURE.beyond_ascii,
  patterns: [
    /(?=\d)(?<=(?<before>(?:[가-힣]{1,10}(?:도|시|군|구|읍|면|동) ){0,4}[가-힣]{1,12}(?:로|길) ?))(?<value>\d{1,5}(?:-\d{1,4})?(?:,? ?\d{1,5}(?:동|호|층)){0,3})(?![\p{L}\p{N}])/gu,
  ],
  context: CONTEXT,
  score: 0.2,
};

/** The end of the name of a field for a postal address. */
const ADDRESS_NAME =
  /(?<!\b(?:ip|mac|mail|web|wallet|contract|memory|url|host|server|network|bind|listen|remote|peer|client|source) )(?:address|adress|adresse|adres|addr|anschrift|street|strasse|straße|calle|dirección|direccion|indirizzo|endereço|endereco|morada|osoite|domicile|domicilio|residence|住所|地址|住址|주소|पता|عنوان|адрес)(?: (?:line|full|text|complete|street|number|no))?(?: ?\d)?$/;

const addressField: Recogniser = {
  type: 'street_address',
  category: 'medium',
  needs: FEATURE.digit,
  patterns: [/^\s{0,8}(?<value>[^]{1,400})/g],
  measure: ({ text }) =>
    /\d/.test(text) && SEVERAL_WORDS.test(text) && !MAIL_OR_HOST.test(text) ? text.length : 0,
  field: ADDRESS_NAME,
  score: 0.1,
};
/** A postal address has several words, or is in a script without spaces. */
const SEVERAL_WORDS = /\p{L} |\d,? \p{L}|[\p{Script=Han}\p{Script=Katakana}]\d/u;
/** Addresses of another kind. */
const MAIL_OR_HOST = /^[^\s]{0,80}(?:@|:\/\/|\.[a-z]{2,6}(?::\d|$))/;

/** The end of an address that a colon announces. */
const ANNOUNCED = /^[^,;:=\n"<>|^&{}[\]]{1,70}(?:, ?[^,;:=\n"<>|^&{}[\]]{1,50}){0,4}/;

const announcedAddress: Recogniser = {
  type: 'street_address',
  category: 'medium',
  needs: FEATURE.digit | FEATURE.assignment,
  patterns: [
    /[:=] ?["']?(?<=(?:address|adress|adresse|adres|anschrift|dirección|direccion|indirizzo|endereço|morada|住所|地址|住址|주소|पता|العنوان|адрес|osoite) {0,2}[:=] ?["']?)(?<value>[^\s,;:="'][^,;:=\n"<>|^&{}]{0,60}\d|\d)/giu,
  ],
  measure: (candidate) => {
    const { view, at } = candidate;
    const text = ANNOUNCED.exec(view.slice(at, at + 240))?.[0] ?? '';
    if (MAIL_OR_HOST.test(text) || !SEVERAL_WORDS.test(text)) return 0;
    const next = view[at + text.length];
    const last = next === ':' || next === '=' ? text.lastIndexOf(',') : text.length;
    const sentence = text.slice(0, last).search(/\p{L}{3}\. |\d\. \p{Lu}/u);
    const end = sentence < 0 ? last : sentence + text.slice(sentence).indexOf('.');
    return Math.max(0, text.slice(0, end).trimEnd().length);
  },
  score: 0.5,
};

export const ADDRESS_RECOGNISERS: readonly Recogniser[] = [
  streetAddress,
  addressWithTown,
  hanAddress,
  koreanAddress,
  addressField,
  announcedAddress,
];
