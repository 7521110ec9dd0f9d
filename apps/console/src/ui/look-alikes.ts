/** Letters of other scripts, each before the Latin letter that it looks like. */
const PAIRS =
  // Cyrillic
  'АAВBЕEЅSІIЈJКKМMНHОOРPСCТTУYХXаaеeѕsіiјjкkоoрpсcуyхxһhԁdԛqԝwӏlвBмMнHтTпnгr' +
  // Greek
  'ΑAΒBΕEΖZΗHΙIΚKΜMΝNΟOΡPΤTΥYΧXαaιiκkνvοoρpτtυuχxϲcϳjγyηnωw' +
  // Armenian
  'օoսuոnհhցgզqՕOՍUԼL' +
  // Cherokee
  'ᎪAᏴBᏟCᎠDᎬEᏀGᎻHᎥiᎫJᏦKᏞLᎷMᏢPᎡRᏚSᎢTᏙVᎳWᏃZ';

const LATIN_OF: ReadonlyMap<string, string> = new Map(
  PAIRS.match(/../gu)?.map((pair) => [pair.charAt(0), pair.charAt(1)] as const),
);

const SCRIPTS = [
  ['Cyrillic', /\p{Script=Cyrillic}/u],
  ['Greek', /\p{Script=Greek}/u],
  ['Armenian', /\p{Script=Armenian}/u],
  ['Cherokee', /\p{Script=Cherokee}/u],
] as const;

/** Says what a letter is that looks like another one: `U+0410, Cyrillic; it looks like the Latin A`. */
export function lookalikeWords(letter: string, code: string): string {
  const script = SCRIPTS.find(([, letters]) => letters.test(letter))?.[0];
  const form = letter.normalize('NFKC');
  const plain = LATIN_OF.get(letter) ?? (form === letter ? undefined : form);
  const name = script === undefined ? code : `${code}, ${script}`;
  if (plain === undefined) return name;
  return `${name}; it looks like ${script === undefined ? 'the plain' : 'the Latin'} ${plain}`;
}

/** Says which Latin word a word of another script looks like. */
export const imitationWords = (latin: string): string =>
  `A word of another script; it looks like the Latin ${latin}`;
