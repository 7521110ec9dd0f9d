import type { Json, JsonObject } from '#client/index.js';
import { withheldWords } from '../changes/values';

/** The fields that the heading of an entry shows, in this order. */
const HEADING = ['type', 'tool', 'title', 'url', 'from', 'read_at'] as const;
/** The fields that an entry shows as prose. */
const CONTENT = ['text', 'result', 'content'] as const;

/** An entry of the evidence, in the order in which it is read. */
export interface ReadEntry {
  /** Where it comes from and when it was read. */
  readonly heading: readonly (readonly [name: (typeof HEADING)[number], text: string])[];
  readonly content: readonly Json[];
  /** The other fields. */
  readonly rest: JsonObject;
}

export function readEntry(entry: JsonObject): ReadEntry {
  const heading = HEADING.flatMap((name) => {
    const value = entry[name];
    return isText(value) ? [[name, value] as const] : [];
  });
  const content = CONTENT.flatMap((name) => {
    const value = entry[name];
    return value === undefined || value === '' ? [] : [value];
  });
  const isRead = (name: string): boolean =>
    heading.some(([read]) => read === name) || (CONTENT as readonly string[]).includes(name);
  const rest = Object.fromEntries(Object.entries(entry).filter(([name]) => !isRead(name)));
  return { heading, content, rest };
}

const isText = (value: Json | undefined): value is string =>
  typeof value === 'string' && value !== '' && withheldWords(value) === undefined;
