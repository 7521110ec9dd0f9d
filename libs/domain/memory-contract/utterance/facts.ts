import { cut, folded } from './text.js';

export const FACT_KEYS = ['name', 'timezone', 'language', 'project', 'editor', 'units'] as const;
export type FactKey = (typeof FACT_KEYS)[number];

export type Fact = { readonly key: string; readonly value: string };

const VALUE = '([^.!?,;]+)';
const pattern = (text: string): RegExp => new RegExp(`\\b${text}`, 'i');

/** The patterns are tried in this order. The group captures the value (SPEC M4). */
const PATTERNS: readonly (readonly [FactKey, RegExp])[] = [
  ['name', pattern(`my name is ${VALUE}`)],
  ['name', pattern(`call me ${VALUE}`)],
  ['timezone', pattern(`my timezone is ${VALUE}`)],
  ['timezone', pattern(`timezone(?: is |\\s*=)${VALUE}`)],
  ['language', pattern(`my language is ${VALUE}`)],
  ['language', pattern(`language preference is ${VALUE}`)],
  ['project', pattern(`my project (?:name )?is ${VALUE}`)],
  ['project', pattern(`working on ${VALUE}`)],
  ['editor', pattern(`my editor is ${VALUE}`)],
  ['units', pattern('use (metric|imperial) units')],
];

const MAX_VALUE = 60;

const QUOTES = '"\'';
const TRAILING = '.!,;: ';

/** Removes the given characters at the end. It is a loop, because a regex would take quadratic time. */
function withoutTrailing(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

const unquoted = (text: string): string =>
  withoutTrailing(text, QUOTES).replace(new RegExp(`^[${QUOTES}]+`), '');

const cleaned = (value: string): string =>
  cut(folded(withoutTrailing(unquoted(value.trim()), TRAILING)), MAX_VALUE);

/** Returns the first stable fact that a text states about its speaker, or null (SPEC M4). */
export function factOf(text: string): Fact | null {
  for (const [key, expression] of PATTERNS) {
    const value = cleaned(expression.exec(text)?.[1] ?? '');
    if (value !== '') return { key, value };
  }
  return null;
}
