import { generateKey, userEntityId } from './canonical-key.js';
import synonyms from './sem_synonyms.json' with { type: 'json' };
import { normalize, slug } from './slug.js';

/**
 * The key that a phrase refers to. With `only_if_exists`, the key counts only if its fact exists, which the
 * caller must check (SPEC K5).
 */
interface Alias {
  readonly key: string;
  readonly only_if_exists: boolean;
}

/** A known phrase: its slug between two `_`, and the template of its key. */
interface Phrase {
  readonly words: string;
  readonly template: string;
}

const longestFirst = (left: Phrase, right: Phrase): number =>
  right.words.length - left.words.length || (left.words < right.words ? -1 : 1);

const PHRASES: readonly Phrase[] = Object.entries(synonyms)
  .map(([phrase, template]) => ({ words: `_${slug(phrase)}_`, template }))
  .sort(longestFirst);

/** The phrases for facts about the user, the longest first. */
export const USER_PHRASES: readonly Phrase[] = PHRASES.filter(({ template }) =>
  template.startsWith('user/'),
);

/** The template of the beginning of all keys in a user's profile. */
export const PROFILE_TEMPLATE = 'user/profile/{user}/';

export const profileTemplate = (attribute: string): string =>
  `${PROFILE_TEMPLATE}${normalize(attribute)}`;

/** Returns the key of a template for a user. For no user, the template itself is the name of the fact. */
export const keyOfTemplate = (template: string, userId: string | null): string =>
  userId === null ? template : template.replace('{user}', userEntityId(userId));

const MY = '_my_';

/**
 * Finds the fact that a text refers to. The longest known phrase in the text selects the key; only whole
 * words match. Without a phrase, the words after `my` are an attribute of the user's profile. Returns
 * null if neither gives a key (SPEC K5).
 */
export function resolveAlias(text: string, userId?: string): Alias | null {
  const words = `_${slug(text)}_`;
  const phrase = PHRASES.find((known) => words.includes(known.words));
  if (phrase) return phraseKey(phrase, userId);
  const at = words.indexOf(MY);
  const after = at === -1 ? '' : words.slice(at + MY.length, -1);
  if (after === '' || userId === undefined) return null;
  const scope = 'user';
  const key = generateKey({ scope, entity_type: 'profile', user_id: userId, attribute: after });
  return { key, only_if_exists: true };
}

/**
 * Returns the key of an attribute of a user's profile. If the whole attribute is a synonym, this is the synonym's
 * key; otherwise it is the attribute's own key (SPEC K5). A phrase inside a longer attribute does not select a key,
 * because callers write to the returned key. @throws Refusal INVALID_INPUT if the result is not a valid key.
 */
export function profileKey(attribute: string, userId: string): string {
  const words = [`_${slug(attribute)}_`, `_my_${slug(attribute)}_`];
  const phrase = PHRASES.find(
    (known) => words.includes(known.words) && known.template.startsWith(PROFILE_TEMPLATE),
  );
  const known = phrase && phraseKey(phrase, userId);
  if (known) return known.key;
  return generateKey({ scope: 'user', entity_type: 'profile', user_id: userId, attribute });
}

function phraseKey({ template }: Phrase, userId: string | undefined): Alias | null {
  if (!template.includes('{user}')) return { key: template, only_if_exists: false };
  if (userId === undefined) return null;
  return { key: keyOfTemplate(template, userId), only_if_exists: false };
}
