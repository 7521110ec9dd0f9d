/** Contractions, and how people write them without an apostrophe. */
const CONTRACTIONS: readonly (readonly [RegExp, string])[] = [
  [/\b(?:can'?t|cannot)\b/g, 'can not'],
  [/\bwon'?t\b/g, 'will not'],
  [/n't\b/g, ' not'],
  [/\b(do|does|did|is|are|was|have|has|would|should|could)nt\b/g, '$1 not'],
  [/\bi'?m\b/g, 'i am'],
  [/'re\b/g, ' are'],
  [/\b(i|we|you)'?ve\b/g, '$1 have'],
  [/'ll\b/g, ' will'],
  // “What'd you …” asks what was, and “how'd you …” how one would.
  [/\b(what|who|where|when|why)'?d(?= (?:i|we|you)\b)/g, '$1 did'],
  [/\bhow'?d(?= (?:i|we)\b)/g, 'how did'],
  [/'d\b/g, ' would'],
  [/\b(what|who|where|when|how|which|it|that|there)'s\b/g, '$1 is'],
  [/\b(what|who|where|when|how)s\b/g, '$1 is'],
  [/\bw\/o\b/g, 'without'],
  [/\bhow 2\b/g, 'how to'],
  [/\bhow come\b/g, 'why'],
  [/\bw\//g, 'with '],
];

/** How people shorten and misspell the words that tell kinds of questions apart. */
const SPELLINGS: Readonly<Record<string, string>> = Object.fromEntries(
  (
    'dunno=do not know,gimme=give me,gonna=going to,gotta=have to,idk=i do not know,n=and,pls=please,' +
    'plz=please,r=are,shoud=should,teh=the,tryna=trying to,u=you,ur=your,wanna=want to,wat=what,' +
    'wen=when,wher=where,wich=which,wot=what,yday=yesterday'
  )
    .split(',')
    .map((pair) => pair.split('=') as [string, string]),
);

/**
 * Returns the words of a clause in lower case, separated by single spaces, without contractions and
 * punctuation: “What's Ada's age?” is “what is ada's age”.
 */
export const plainWords = (text: string): string =>
  CONTRACTIONS.reduce((plain, [short, long]) => plain.replace(short, long), text)
    .replace(/[^\p{L}\p{N}'%$]+/gu, ' ')
    .trim()
    .split(' ')
    .map((word) => (Object.hasOwn(SPELLINGS, word) ? SPELLINGS[word] : word))
    .join(' ');
