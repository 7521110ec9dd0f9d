import { profileTemplate, USER_PHRASES } from '../canonical-key/synonyms.js';
import { AROUND, ofMy, PHRASE, type Fact } from './my-words.js';
import { isWorkedOn } from './named-attributes.js';
import type { SentenceKind } from './sentence.js';

/** Returns the facts that phrases name (SPEC K5), and the words in which these phrases are replaced. */
export function factsOfPhrases(words: string, kind: SentenceKind): { facts: Fact[]; rest: string } {
  const facts: Fact[] = [];
  let rest = words;
  for (const phrase of USER_PHRASES) {
    const at = rest.indexOf(phrase.words);
    if (at < 0) continue;
    const before = rest.slice(0, at + 1);
    if (ABOUT_THE_SERVICE.test(before) || NOT_WHO_AM_I.test(rest.slice(at))) continue;
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
      facts.push([profileTemplate(`${owner}${phrase.words}`)]);
    }
  }
  return { facts, rest };
}

/** “Your favorite color” is the service's own. */
const ABOUT_THE_SERVICE = /_your_(?:(?:very|own|all_time)_)*$/;
/** “Who am I talking to?” asks for the name of the other side. */
const NOT_WHO_AM_I = /^_who_am_i_(?:talking|speaking|chatting|dealing|to)_/;

/** The possessive before a phrase: in “my mother’s favorite color” the colour is not the speaker's. */
const OTHER_OWNER =
  /_(?!(?:what|who|where|when|how|it|that|let|here|there|name)_s_$)([a-z0-9]+_s|his|her|their|its|our)_(?:(?:very|most|all_time)_)?$/;

/**
 * Returns the fact of a phrase whose words all stand in the sentence, in any order (SPEC A1). Where the
 * sentence says “my …”, these words must belong to the phrase, so that “What color is my car?” does not
 * ask for the favourite colour.
 */
export function factOfUnorderedPhrase(words: string): Fact | null {
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
  ({ parts }) => parts[0] !== 'my' && parts.filter((part) => !AROUND.includes(part)).length >= 2,
);
