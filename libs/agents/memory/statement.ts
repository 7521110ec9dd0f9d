import { slug } from '#domain/canonical-key/slug.js';

/** A person's statement about themselves. */
export interface Statement {
  readonly attribute: string;
  readonly value: string;
}

const COMMAND = /^(please )?(remember|save|set|note)( that)? my /i;
const BARE = /^my /i;
/** The first match in this order wins: “my way to work is the bus” has the attribute “way to work”. */
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
 * Reads a command such as "remember my X is Y" (also with save or set, and with to or as); null for other
 * texts.
 */
export const toRemember = (text: string): Statement | null => statementAfter(COMMAND, folded(text));

/** Reads a statement "my X is Y" that is not a question; null for other texts. */
export const statedAbout = (text: string): Statement | null =>
  text.trimEnd().endsWith('?') ? null : statementAfter(BARE, folded(text));
