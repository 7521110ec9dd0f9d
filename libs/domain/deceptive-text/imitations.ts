import { charactersOf, OTHER_SCRIPT } from './characters.js';

/** The letters of a script that look like letters of ASCII. */
interface ImitatingScript {
  readonly letters: string;
  /** The letters that these look like, by themselves. */
  readonly latin: ReadonlyMap<string, string>;
  /** A letter of the script that looks like none of ASCII. */
  readonly own: RegExp;
}

const LATIN = /\p{Script=Latin}/u;

/** A shorter word is an abbreviation or a symbol. */
const FEWEST_LETTERS = 3;

function imitating(script: string, letters: string, latin: string): ImitatingScript {
  return {
    letters,
    latin: new Map([...letters].map((letter, at) => [letter, latin[at]!])),
    own: new RegExp(`(?![${letters}])[\\p{Script=${script}}]`, 'u'),
  };
}

const SCRIPTS: readonly ImitatingScript[] = [
  imitating(
    'Cyrillic',
    'асеіјорѕухһԁԛԝӏѵүАВСЕНІЈКМОРЅТУХҺԀԚԜӀѴҮ',
    'aceijopsyxhdqwlvyABCEHIJKMOPSTYXhdQWIVY',
  ),
  imitating('Greek', 'αικνορυϲϳΑΒΕΖΗΙΚΜΝΟΡΤΥΧϹϿ', 'aikvopucjABEZHIKMNOPTYXCO'),
  imitating('Armenian', 'օոսհցյզԱՕՍՏԼՈ', 'onuhgjqUOUSLn'),
  imitating('Cherokee', 'ᎠᎡᎢᎥᎪᎫᎬᎳᎷᎻᎽᏀᏃᏏᏒᏔᏕᏙᏚᏞᏟᏢᏦᏴ', 'DRTiAJEWMHYGZbRWSVSLCPKB'),
  imitating('Coptic', 'ⲟⲣⲥⲓⲩⲭⲁⲕⲛⲞⲢⲤⲒⲨⲬⲀⲂⲈⲎⲔⲘⲚⲦⲌ', 'opciyxaknOPCIYXABEHKMNTZ'),
  imitating('Lisu', 'ꓐꓑꓓꓔꓖꓗꓙꓚꓜꓝꓟꓠꓡꓢꓣꓦꓧꓪꓫꓬꓮꓰꓲꓳꓴ', 'BPDTGKJCZFMNLSRVHWXYAEIOU'),
  imitating('Canadian_Aboriginal', 'ᐯᑌᑎᑕᑭᑯᒍᒪᔕᕮᕼᖇᖴᗅᗞᗪᗰᗯᗷ᙭', 'VUnCPdJLSEHRFADDMWBX'),
  imitating('Deseret', '𐐄𐐬𐐕𐐽𐐢𐐠', 'OoCcLS'),
  imitating('Tifinagh', 'ⴱⵀⵍⵏⵓⵔⵙⵜⵝⵟⴹⵊⵋⵡⵅ', 'OOlloOOtXEEIXUX'),
];
const LETTERS = SCRIPTS.map(({ letters }) => letters);
const SCRIPT_OF: ReadonlyMap<string, ImitatingScript> = new Map(
  SCRIPTS.flatMap((script) => [...script.letters].map((letter) => [letter, script])),
);

/** A word that has such letters of one script alone. */
export const LOOKS_LATIN = new RegExp(
  `(?=[${LETTERS.join('')}])(?<![\\p{L}\\p{M}\\p{Nd}])(?:${LETTERS.map((letters) => `[${letters}]{${FEWEST_LETTERS},}`).join('|')})(?![\\p{L}\\p{M}\\p{Nd}])`,
  'gu',
);

/** A word that is compared: in lower case, as its letters can be in either case. */
export const imitationKey = (word: string): string => word.toLowerCase();

/**
 * Returns the words that consist of letters of another script that all look like Latin ones, if nothing says that they are
 * words of that script: their text is written in Latin letters, and neither that text nor another one with the word has a
 * letter of the script that looks like none. A word in a text of its own language has such letters around it.
 */
export function imitationsIn(texts: readonly string[]): ReadonlySet<string> {
  const suspected = new Set<string>();
  const native = new Set<string>();
  for (const text of texts) {
    const characters = charactersOf(text);
    if (!OTHER_SCRIPT.test(characters)) continue;
    const isLatin = LATIN.test(characters);
    const written = new Set(SCRIPTS.filter(({ own }) => own.test(characters)));
    for (const word of new Set(text.match(LOOKS_LATIN))) {
      if (written.has(scriptOf(word))) native.add(imitationKey(word));
      else if (isLatin) suspected.add(imitationKey(word));
    }
  }
  return new Set([...suspected].filter((word) => !native.has(word)));
}

const scriptOf = (word: string): ImitatingScript =>
  SCRIPT_OF.get(String.fromCodePoint(word.codePointAt(0)!))!;

/** Returns the Latin word that one found by `LOOKS_LATIN` looks like. */
export function latinLookOf(word: string): string {
  const { latin } = scriptOf(word);
  return [...word].map((letter) => latin.get(letter) ?? letter).join('');
}
