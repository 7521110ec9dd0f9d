import { limitOf } from '../size-limit.js';

/** The most characters (Unicode code points) of a memory. */
export const MAX_TEXT = 4_000;
/** The most characters of a person's words from which sentences are kept at once. */
export const MAX_SAID = 16_384;
/** The most characters of a recall's query. */
export const MAX_QUERY = 16_000;
/** The most sentences that one request keeps. */
export const MAX_KEPT = 50;
/** The most sentences of a person's words that the rules look at; the rest is not kept. */
export const MAX_SENTENCES = 300;
/** The most memories of one person. */
export const MAX_MEMORIES = 20_000;
export const MAX_TAGS = 16;
export const MAX_TAG_LENGTH = 64;
/** The most bytes of a memory's text and tags as canonical JSON, in which a character has at most six. */
export const MEMORY_WORDS = limitOf(
  'text and tags',
  6 * (MAX_TEXT + MAX_TAGS * MAX_TAG_LENGTH) + 200,
);
