import { profileTemplate } from '../canonical-key/synonyms.js';
import { isWorkedOn, NAMED_OF_MY } from './named-attributes.js';
import type { SentenceKind } from './sentence.js';

/** At most this many facts of one text are looked up. */
export const MAX_FACTS = 10;
/** The words after `my` that can name a fact; a longer attribute is cut anyway (SPEC K2). */
const MAX_WORDS = 20;

/** Stands in the words of a sentence for a phrase that was found there. */
export const PHRASE = 'PHRASE';

/** The templates of keys under which one fact may stand. */
export type Fact = readonly string[];

const listed = (words: string): readonly string[] => words.split(' ');

/** Words that end the name of a fact: “(my hobby) is”, “(my mother) did”. */
const ENDS = listed(
  'is are was were am do does did has have had will would can could should shall may ' +
    'might must and or but if when while because that which who what where how again ' +
    'please now then called today right exactly really mean means be',
);
const PREPOSITIONS = listed('in for at on to from with by about as of');
/** The words that may stand around the name of a fact in a question for this fact itself. */
export const AROUND = listed(
  'what whats s who whos whose when where which is are was were am be do does did you ' +
    'still know remember recall tell told me remind say show give list state repeat us ' +
    'can could will would please the of again now i want to wonder idea any currently ' +
    'actually called it and my mine name exactly ever mention that if let have has had a ' +
    'forgot forget don t guess hear see need like d love about how today yet stored at on ' +
    'in all then so just confirm describe spell share',
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
export function ofMy(words: string): readonly OfMy[] {
  const all = words.split('_').slice(1, -1);
  const found = all.flatMap((word, at) => (word === 'my' ? [at] : [])).slice(0, MAX_FACTS);
  return found.flatMap((at) => {
    const rest = all.slice(at + 1, at + 1 + MAX_WORDS);
    const end = rest.findIndex((one) => one === 'my' || one === PHRASE || ENDS.includes(one));
    const name = end < 0 ? rest : rest.slice(0, end);
    const after = end < 0 ? [] : rest.slice(end);
    return name.length === 0 ? [] : [{ before: `_${all.slice(0, at).join('_')}_`, name, after }];
  });
}

/** Returns the facts that “my <words>” names: in a request for work, only the attributes of SPEC A1. */
export function factsOfMy(words: string, kind: SentenceKind): readonly Fact[] {
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
    .filter((length) => length === name.length || PREPOSITIONS.includes(name[length] ?? ''))
    .toReversed()
    .map((length) => name.slice(0, length).join('_'));

/** True if a sentence asks for the named facts themselves, and not for something else about them. */
function isAsked(words: string, found: readonly OfMy[]): boolean {
  const others = new Set(words.split('_').slice(1, -1));
  for (const { name } of found) for (const word of name) others.delete(word);
  return [...others].every((word) => AROUND.includes(word) || word === PHRASE);
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
