import type { Json } from './json.js';

const escaped = (text: string): string =>
  text.replaceAll('\n', '\\n').replaceAll('\r', '\\r').replaceAll('\t', '\\t');

function* lines(key: string, value: Json): Generator<string> {
  if (typeof value === 'string') yield `${key}: ${escaped(value)}`;
  else if (value === null || typeof value !== 'object') yield `${key}: ${String(value)}`;
  else if (isList(value)) {
    yield `${key}.count: ${value.length}`;
    for (const [index, item] of value.entries()) yield* lines(`${key}.${index + 1}`, item);
  } else {
    for (const inner of Object.keys(value).sort()) {
      yield* lines(key === '' ? inner : `${key}.${inner}`, value[inner] ?? null);
    }
  }
}

const isList = (value: readonly Json[] | object): value is readonly Json[] => Array.isArray(value);

/**
 * Formats a value for people: one `key: value` per line, keys sorted and nested with dots, lists as
 * `<key>.count` and `<key>.1`…, empty objects left out (SPEC M19). The text has no final newline.
 */
export const plainView = (value: Json): string => [...lines('', value)].join('\n');
