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
 * A value as a person reads it: one `key: value` a line, keys sorted, dots for nesting, lists as
 * `<key>.count` and `<key>.1`…; empty objects are left out (SPEC M19). Without a final newline.
 */
export const plainView = (value: Json): string => [...lines('', value)].join('\n');
