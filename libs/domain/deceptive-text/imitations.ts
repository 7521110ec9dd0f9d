import { OTHER_SCRIPT } from './characters.js';

/** The letters of a script that look like letters of ASCII. */
interface Imitation {
  /** A word that has such letters alone. */
  readonly word: RegExp;
  /** A letter of the script that looks like none of ASCII. */
  readonly own: RegExp;
}

const LATIN = /\p{Script=Latin}/u;

/** A shorter word is an abbreviation or a symbol. */
const FEWEST_LETTERS = 3;

const imitation = (script: string, letters: string): Imitation => ({
  word: new RegExp(
    `(?<![\\p{L}\\p{M}\\p{Nd}])[${letters}]{${FEWEST_LETTERS},}(?![\\p{L}\\p{M}\\p{Nd}])`,
    'gu',
  ),
  own: new RegExp(`(?![${letters}])[\\p{Script=${script}}]`, 'u'),
});

export const IMITATIONS: readonly Imitation[] = [
  imitation('Cyrillic', 'асеіјорѕухһԁԛԝӏѵүАВСЕНІЈКМОРЅТУХҺԀԚԜӀѴҮ'),
  imitation('Greek', 'αικνορυϲϳΑΒΕΖΗΙΚΜΝΟΡΤΥΧϹϿ'),
  imitation('Armenian', 'օոսհցյզԱՕՍՏԼՈ'),
  imitation('Cherokee', 'ᎠᎡᎢᎥᎪᎫᎬᎳᎷᎻᎽᏀᏃᏏᏒᏔᏕᏙᏚᏞᏟᏢᏦᏴ'),
  imitation('Coptic', 'ⲟⲣⲥⲓⲩⲭⲁⲕⲛⲞⲢⲤⲒⲨⲬⲀⲂⲈⲎⲔⲘⲚⲦⲌ'),
  imitation('Lisu', 'ꓐꓑꓓꓔꓖꓗꓙꓚꓜꓝꓟꓠꓡꓢꓣꓦꓧꓪꓫꓬꓮꓰꓲꓳꓴ'),
  imitation('Canadian_Aboriginal', 'ᐯᑌᑎᑕᑭᑯᒍᒪᔕᕮᕼᖇᖴᗅᗞᗪᗰᗯᗷ᙭'),
  imitation('Deseret', '𐐄𐐬𐐕𐐽𐐢𐐠'),
  imitation('Tifinagh', 'ⴱⵀⵍⵏⵓⵔⵙⵜⵝⵟⴹⵊⵋⵡⵅ'),
];

/**
 * True if a word consists of letters of another script that all look like Latin ones, and nothing says that it is a word
 * of that script: its text is written in Latin letters, and neither that text nor another one with the word has a letter
 * of the script that looks like none. A word in a text of its own language has such letters around it.
 */
export function imitatesLatin(texts: readonly string[]): boolean {
  const foreign = texts.filter((text) => OTHER_SCRIPT.test(text));
  return IMITATIONS.some(({ word, own }) => {
    const wordsIn = (text: string) => (text.match(word) ?? []).map((one) => one.toLowerCase());
    const suspected = foreign
      .filter((text) => LATIN.test(text) && !own.test(text))
      .flatMap(wordsIn);
    if (suspected.length === 0) return false;
    const native = new Set(foreign.filter((text) => own.test(text)).flatMap(wordsIn));
    return suspected.some((one) => !native.has(one));
  });
}
