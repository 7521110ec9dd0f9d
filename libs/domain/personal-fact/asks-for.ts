import { profileTemplate } from '../canonical-key/synonyms.js';
import { slug } from '../canonical-key/slug.js';
import { factsOfMy, MAX_FACTS, type Fact } from './my-words.js';
import { NAMED_OF_I } from './named-attributes.js';
import { factOfUnorderedPhrase, factsOfPhrases } from './phrases.js';
import { sentencesOf, type Sentence } from './sentence.js';
import { toRemember } from './statement.js';

/**
 * What a text asks for, beyond the reach of a model: everything that is stored about the user, earlier
 * turns of the conversation, or a list of facts. Each fact is a list of templates of keys; the first key
 * under which a fact stands is the one that is meant. The list is empty if the text names no fact.
 */
export type AsksFor = 'everything' | 'earlier_turns' | readonly Fact[];

/**
 * Returns what a text asks for that no model may answer (SPEC A1, A5, 004 §7); null for any other text.
 * A question in the first person is answered from SEM alone, unless `model-work.ts` recognises it. A
 * request for work asks only for a fact that a known phrase or a named attribute names.
 */
export function asksFor(text: string): AsksFor | null {
  if (toRemember(text) !== null) return null;
  const sentences = sentencesOf(text).filter(
    ({ kind }) => kind === 'question' || kind === 'earlier' || kind === 'task',
  );
  if (sentences.some(({ text: asked }) => EVERYTHING.test(`_${slug(asked)}_`))) return 'everything';
  const facts = sentences.flatMap(factsIn);
  const different = facts.filter(
    ([first], index) => facts.findIndex(([other]) => other === first) === index,
  );
  if (different.length > 0) return different.slice(0, MAX_FACTS);
  if (sentences.some(({ kind }) => kind === 'earlier')) return 'earlier_turns';
  return sentences.some(({ kind, isPersonal }) => kind === 'question' && isPersonal) ? [] : null;
}

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
