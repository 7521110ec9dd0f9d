import { isUserId } from '../canonical-key/canonical-key.js';
import { hasHiddenCharacters } from '../deceptive-text/hidden-characters.js';
import { hasMixedScripts } from '../deceptive-text/mixed-scripts.js';

/** Letters, digits, punctuation, and signs that are part of ids; no markup, and nothing that sets how a page shows it. */
const ID = /^[\p{L}\p{M}\p{N}\p{P}+=|~^$ ]+$/u;

/** True for the sub of another that a request may name: readers see it, and must not take it for the sub of a third. */
export const isAssignable = (sub: string): boolean =>
  ID.test(sub) && isUserId(sub) && !hasHiddenCharacters(sub) && !hasMixedScripts(sub);
