import { profileTemplate, USER_PHRASES } from '../canonical-key/synonyms.js';
import { slug } from '../canonical-key/slug.js';
import { sentencesOf, type Sentence, type SentenceKind } from './sentence.js';
import { toRemember } from './statement.js';

/**
 * The facts about the user for which a text asks: everything that is stored, or a list of facts. Each
 * fact is a list of templates of keys; the first key under which a fact stands is the one that is meant.
 */
export type AsksFor = 'everything' | readonly (readonly string[])[];

/** At most this many facts of one text are looked up. */
const MAX_FACTS = 10;
/** The words after `my` that can name a fact; a longer attribute is cut anyway (SPEC K2). */
const MAX_WORDS = 20;

/**
 * Returns the facts about the user for which a text asks; null if it asks for none. Such a text is
 * answered from SEM alone, so that no model makes a fact up (SPEC A1, 004 §7).
 *
 * A question for advice (“How do I sort my list?”) asks for no fact, and a request for work (“Improve my
 * essay”) asks only for a fact that a known phrase or a named attribute names.
 */
export function asksFor(text: string): AsksFor | null {
  if (toRemember(text) !== null) return null;
  const sentences = sentencesOf(text).filter(({ kind }) => kind === 'question' || kind === 'task');
  if (sentences.some(({ text: asked }) => EVERYTHING.test(`_${slug(asked)}_`))) return 'everything';
  const facts = sentences.flatMap(factsIn);
  const different = facts.filter(
    ([first], index) => facts.findIndex(([other]) => other === first) === index,
  );
  return different.length === 0 ? null : different.slice(0, MAX_FACTS);
}

const EVERYTHING =
  /_(?:know|remember|recall|stored|saved|store|have|learned|learnt|noted)_(?:(?:all|anything|everything|already|so_far)_)?(?:about|on)_me_|_(?:do|did|can|could)_you_(?:(?:still|even|already)_)?(?:know|remember|recognize|recognise)_me_|_(?:tell|say|share)_(?:me_|us_)?(?:(?:all|anything|everything|something|more)_)?about_(?:me|myself)_/;

/** The attributes that SPEC A1 names, with the attributes under which such a fact may stand. */
const NAMED: readonly (readonly [words: string, attributes: readonly string[]])[] = [
  ['age', ['age']],
  [
    'birthday|birth_?dates?|date_of_birth|day_of_birth',
    ['birthday', 'birth_date', 'date_of_birth', 'birthdate'],
  ],
  ['e_?mails?(?:_address)?', ['email', 'e_mail', 'email_address', 'e_mail_address']],
  ['address', ['address', 'home_address']],
  ['(?:tele)?phone(?:_number)?', ['phone', 'phone_number', 'telephone', 'telephone_number']],
  ['job', ['current_job', 'job']],
  ['hobby|hobbies', ['hobby', 'hobbies']],
];
/** “(the job) that I have”, “(which hobby) do I enjoy” */
const OF_I =
  '(?:that_|which_)?(?:(?:do|did|am|was|have|had)_)?i_(?:(?:currently|now|usually|always|most|really)_)*(?:do|did|have|had|own|use|used|live|work|hold|enjoy|like|love|practi[sc]e|pursue|gave|give|go_by|am|was|registered|signed|told)_';
const I_HAVE =
  '_(?:do|did|have|am|was)_i_(?:(?:have|had|got|own|use)_)?(?:(?:a|an|any|some|as|for)_)*';
const NAMED_OF_I = NAMED.map(([words, attributes]) => ({
  pattern: new RegExp(`_(?:${words})_${OF_I}|${I_HAVE}(?:${words})_`),
  attributes,
}));
const NAMED_OF_MY = NAMED.map(([words, attributes]) => ({
  pattern: new RegExp(
    `^(?:(?:current|own|home|private|work|personal|new|full|exact|real)_)*(?:${words})$`,
  ),
  attributes,
}));

/** In a request for work, these are as often its object (“Proofread my e-mail”) as facts. */
const WORKED_ON = /^(?:e_?mails?|job|phone|project|editor|language|code_editor)(?:_|$)/;
const ABOUT =
  /_(?:about|with|of|for|from|on|in|by|including|mentioning|using|containing|to)_(?:\w+_and_)?$/;

/** Words that end the name of a fact: “(my hobby) is”, “(my mother) like”. */
const ENDS = new Set(
  'is are was were am do does did has have had will would can could should shall may might must and or but if when while because that which who what where how again please now then called today right exactly really mean means be'.split(
    ' ',
  ),
);
const PREPOSITIONS = new Set('in for at on to from with by about as of'.split(' '));
/** The words that may stand around the name of a fact in a question for this fact itself. */
const AROUND = new Set(
  'what whats s who whos whose when where which is are was were am be do does did you still know remember recall tell told me remind say show give list state repeat us can could will would please the of again now i want to know wonder idea any currently actually called it and my mine name exactly did ever mention that if let have has had a forgot forget don t guess hear see need like d love about how today yet stored at on in all then so just confirm describe spell share'.split(
    ' ',
  ),
);

/** Stands in the words of a sentence for a phrase that was found there. */
const PHRASE = 'PHRASE';

/** The templates of keys under which one fact may stand. */
type Fact = readonly string[];

function factsIn({ text, kind }: Sentence): readonly Fact[] {
  const words = `_${slug(text.replace(/[,;:()[\]{}"“”«»–—…|]+/g, ' and '))}_`;
  const { facts: byPhrase, rest } = factsOfPhrases(words, kind);
  const facts = [...byPhrase, ...factsOfMy(rest, kind)];
  for (const { pattern, attributes } of NAMED_OF_I)
    if (pattern.test(rest)) facts.push(attributes.map(profileTemplate));
  const unordered = factOfUnorderedPhrase(words);
  if (byPhrase.length === 0 && unordered !== null) return [unordered];
  return facts;
}

/** Returns the facts that phrases name (SPEC K5), and the words in which these phrases are replaced. */
function factsOfPhrases(words: string, kind: SentenceKind): { facts: Fact[]; rest: string } {
  const facts: Fact[] = [];
  let rest = words;
  for (const phrase of USER_PHRASES) {
    const at = rest.indexOf(phrase.words);
    if (at < 0) continue;
    const before = rest.slice(0, at + 1);
    if (isWorkedOn(phrase.words.replace(/^_(?:my_)?/, ''), before, kind)) continue;
    const owner = OTHER_OWNER.exec(before)?.[1];
    if (owner === undefined) {
      const literal = profileTemplate(phrase.words.replace(/^_my_/, ''));
      facts.push(
        phrase.words.startsWith('_my_') && literal !== phrase.template
          ? [phrase.template, literal]
          : [phrase.template],
      );
      rest = `${before}${PHRASE}_${rest.slice(at + phrase.words.length)}`;
    } else if (!before.includes('_my_')) {
      facts.push([profileTemplate(`${owner}_s${phrase.words}`)]);
    }
  }
  return { facts, rest };
}

/** The possessive before a phrase: in “my mother’s favorite color” the colour is not the speaker's. */
const OTHER_OWNER =
  /_(?!(?:what|who|where|when|how|it|that|let|here|there|name)_s_$)([a-z0-9]+)_s_(?:(?:very|most|all_time)_)?$/;

const isWorkedOn = (named: string, before: string, kind: SentenceKind): boolean =>
  kind === 'task' && WORKED_ON.test(named) && !ABOUT.test(before.replace(/my_$/, ''));

/**
 * Returns the fact of a phrase whose words all stand in the sentence, in any order (SPEC A1). Where the
 * sentence says “my …”, these words must belong to the phrase, so that “What color is my car?” does not
 * ask for the favourite colour.
 */
function factOfUnorderedPhrase(words: string): Fact | null {
  if (!/_(?:i|my|me|mine|im)_/.test(words) || OTHERS.test(words)) return null;
  const present = new Set(words.split('_'));
  const mine = ofMy(words).flatMap(({ name }) => name);
  const found = UNORDERED.find(
    ({ parts }) =>
      parts.every((part) => present.has(part)) && mine.every((word) => parts.includes(word)),
  );
  return found === undefined ? null : [found.template];
}

const OTHERS = /_(?!(?:what|who|where|when|how|it|that|let)_s_)[a-z0-9]+_s_|_(?:should|could)_/;

/** The phrases with at least two words that are neither question words nor pronouns. */
const UNORDERED = USER_PHRASES.map(({ words, template }) => ({
  parts: words.split('_').filter((part) => part !== ''),
  template,
})).filter(
  ({ parts }) => parts[0] !== 'my' && parts.filter((part) => !AROUND.has(part)).length >= 2,
);

interface OfMy {
  /** The words before `my`, between `_`. */
  readonly before: string;
  /** The words of the name, up to a word that ends it. */
  readonly name: readonly string[];
  /** The words after the name. */
  readonly after: readonly string[];
}

/** Finds the first occurrences of “my <words>”. */
function ofMy(words: string): readonly OfMy[] {
  const all = words.split('_').slice(1, -1);
  const found = all.flatMap((word, at) => (word === 'my' ? [at] : [])).slice(0, MAX_FACTS);
  return found.flatMap((at) => {
    const rest = all.slice(at + 1, at + 1 + MAX_WORDS);
    const end = rest.findIndex((one) => one === 'my' || one === PHRASE || ENDS.has(one));
    const name = end < 0 ? rest : rest.slice(0, end);
    const after = end < 0 ? [] : rest.slice(end);
    return name.length === 0 ? [] : [{ before: `_${all.slice(0, at).join('_')}_`, name, after }];
  });
}

/** Returns the facts that “my <words>” names: in a request for work, only the attributes of SPEC A1. */
function factsOfMy(words: string, kind: SentenceKind): readonly Fact[] {
  const found = ofMy(words);
  const isDirect = isAsked(words, found);
  return found.flatMap((one): readonly Fact[] => {
    const names = namesIn(one.name);
    const named = NAMED_OF_MY.find(({ pattern }) => names.some((name) => pattern.test(name)));
    if (named !== undefined) {
      if (isWorkedOn(one.name.join('_'), one.before, kind)) return [];
      const exact = names.filter((name) => named.pattern.test(name));
      return [[...new Set([...named.attributes, ...exact])].map(profileTemplate)];
    }
    if (kind !== 'question') return [];
    return [attributesOf(one, names, isDirect).map(profileTemplate)];
  });
}

/** Returns a name and its beginnings before a preposition, the longest first. */
const namesIn = (name: readonly string[]): readonly string[] =>
  name
    .map((_, index) => index + 1)
    .filter((length) => length === name.length || PREPOSITIONS.has(name[length] ?? ''))
    .toReversed()
    .map((length) => name.slice(0, length).join('_'));

/** True if a sentence asks for the named facts themselves, and not for something else about them. */
function isAsked(words: string, found: readonly OfMy[]): boolean {
  const others = new Set(words.split('_').slice(1, -1));
  for (const { name } of found) for (const word of name) others.delete(word);
  return [...others].every((word) => AROUND.has(word) || word === PHRASE);
}

const PROPERTY = /_(?:what|which)_([a-z0-9_]{1,40}?)_(?:is|are|was|were|does|do)_$/;
const PROPERTY_OF = /_([a-z0-9]+)_of_$/;

/**
 * Returns the attributes that “my <words>” may mean. “What color is my car?” and “the color of my car”
 * ask for “car’s color”. Words in another question are the attribute of SPEC K5: all words after `my`.
 */
function attributesOf(
  { before, name, after }: OfMy,
  names: readonly string[],
  isDirect: boolean,
): readonly string[] {
  const property = PROPERTY_OF.exec(before)?.[1] ?? PROPERTY.exec(before)?.[1];
  const literal = [...name, ...after].join('_');
  if (property !== undefined) {
    const of = names.flatMap((one) =>
      /^favou?rite$/.test(one)
        ? [`${one}_${property}`]
        : [`${one}_s_${property}`, `${one}_${property}`],
    );
    return [...of.flatMap(spellings), ...(PROPERTY_OF.test(before) ? [] : [literal])];
  }
  return isDirect ? [...new Set([...names.flatMap(spellings), literal])] : spellings(literal);
}

/**
 * Returns an attribute and the other spellings under which it may stand: a typographic apostrophe makes
 * “mothers_name” of “mother’s name”, and “favourite” may be stored as “favorite”.
 */
function spellings(attribute: string): readonly string[] {
  const joined = attribute.replace('_s_', 's_');
  const american = attribute.replace('favourite', 'favorite').replace('colour', 'color');
  return [...new Set([attribute, joined, american])];
}
