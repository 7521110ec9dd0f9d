import { profileTemplate } from '../canonical-key/synonyms.js';
import { slug } from '../canonical-key/slug.js';
import { factsOfMy, MAX_FACTS, type Fact } from './my-words.js';
import { NAMED_OF_I } from './named-attributes.js';
import { factOfUnorderedPhrase, factsOfPhrases } from './phrases.js';
import { sentencesOf, type Sentence } from './sentence.js';
import { toRemember } from './statement.js';

/**
 * The facts about the user for which a text asks: everything that is stored, or a list of facts. Each
 * fact is a list of templates of keys; the first key under which a fact stands is the one that is meant.
 * The list is empty if no key can name the fact.
 */
export type AsksFor = 'everything' | readonly Fact[];

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
  if (different.length > 0) return different.slice(0, MAX_FACTS);
  return sentences.some(isBeyondKeys) ? [] : null;
}

/** True for “What is my 猫?”: no key can name the fact, because a key is ASCII (SPEC K1). */
const isBeyondKeys = ({ text, kind }: Sentence): boolean =>
  kind === 'question' && /\bmy [^\0-\x7f]/.test(text);

/** Questions for all facts about the user, and not for one of them. */
const EVERYTHING = new RegExp(
  [
    '_(?:know|remember|recall|stored|saved|store|have|learned|learnt|noted)_(?:(?:all|anything|everything|already|so_far)_)?(?:about|on)_me_',
    '_(?:do|did|can|could)_you_(?:(?:still|even|already)_)?(?:know|remember|recognize|recognise)_me_',
    '^_(?:you_)?(?:know|remember)_me_$',
    '_(?:tell|say|share|told)_(?:me_|us_|you_)?(?:(?:all|anything|everything|something|more)_)?about_(?:me|myself)_',
    '^_(?:please_)?describe_(?:me|myself)_$',
  ].join('|'),
);

/** Returns the facts for which one sentence asks. */
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
