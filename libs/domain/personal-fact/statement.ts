import { slug } from '../canonical-key/slug.js';

/** A person's statement about themselves. */
export interface Statement {
  readonly attribute: string;
  readonly value: string;
}

const COMMAND = /^(please )?(remember|save|set|note)( that)? my /i;
const BARE = /^my /i;
/**
 * The words that separate attribute and value. The first match wins: in “my way to work is the bus” the
 * attribute is “way to work”.
 */
const IS = / (?:is|are|=) |[=:] /i;
const TO = / (?:to|as) /i;
const QUOTES = /^(["'“‘])(.*)(["'”’])$/;

/** Removes punctuation at the end of a value, and quotes around it. */
const plainValue = (text: string): string => {
  const value = text.replace(/[.!]$/, '').trim();
  return QUOTES.exec(value)?.[2]?.trim() ?? value;
};

const folded = (text: string): string => text.replace(/\s+/g, ' ').trim();

function statementAfter(beginning: RegExp, text: string): Statement | null {
  const begun = beginning.exec(text);
  if (!begun) return null;
  const rest = text.slice(begun[0].length);
  const between = IS.exec(rest) ?? TO.exec(rest);
  if (!between) return null;
  const attribute = rest.slice(0, between.index).trim();
  const value = plainValue(rest.slice(between.index + between[0].length));
  return slug(attribute) === '' || value === '' ? null : { attribute, value };
}

/**
 * Reads a command such as "remember my X is Y"; null for other texts. "save" or "set" may replace
 * "remember", and "to" or "as" may replace "is".
 */
export const toRemember = (text: string): Statement | null => statementAfter(COMMAND, folded(text));

/** Reads a statement "my X is Y" that is not a question; null for other texts. */
export const statedAbout = (text: string): Statement | null =>
  text.trimEnd().endsWith('?') ? null : statementAfter(BARE, folded(text));
