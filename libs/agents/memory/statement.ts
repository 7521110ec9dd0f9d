import { slug } from '#domain/canonical-key/slug.js';

/** Something that a person said about themselves. */
export interface Statement {
  readonly attribute: string;
  readonly value: string;
}

const COMMAND = /^(please )?(remember|save|set|note)( that)? my /i;
const BARE = /^my /i;
/** The stronger word first: “my way to work is the bus” is about the way to work. */
const IS = / (?:is|are|=) |[=:] /i;
const TO = / (?:to|as) /i;
const QUOTES = /^(["'“‘])(.*)(["'”’])$/;

/** A value without what only ends the sentence, and without quotes around all of it. */
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

/** What "remember my X is Y" asks to keep, with save or set and to or as in its place; null for all else. */
export const toRemember = (text: string): Statement | null => statementAfter(COMMAND, folded(text));

/** What "my X is Y" tells, if it is no question; null for all else. */
export const toldAbout = (text: string): Statement | null =>
  text.trimEnd().endsWith('?') ? null : statementAfter(BARE, folded(text));
