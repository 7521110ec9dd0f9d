/** The letters of a script that look like letters of ASCII. */
interface Imitation {
  /** A word that has such letters alone. */
  readonly word: RegExp;
  /** A letter of the script that looks like none of ASCII. */
  readonly own: RegExp;
}

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
  const foreign = texts.filter((text) => /[^\u0000-\u024F]/.test(text));
  return IMITATIONS.some(({ word, own }) => {
    const suspected = new Set<string>();
    const native = new Set<string>();
    for (const text of foreign) {
      const words = text.match(word);
      if (words === null) continue;
      const target = own.test(text)
        ? native
        : /\p{Script=Latin}/u.test(text)
          ? suspected
          : undefined;
      for (const one of words) target?.add(one.toLowerCase());
    }
    return [...suspected].some((one) => !native.has(one));
  });
}
