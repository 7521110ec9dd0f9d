import { cut, folded } from './text.js';

export const FACT_KEYS = ['name', 'timezone', 'language', 'project', 'editor', 'units'] as const;
export type FactKey = (typeof FACT_KEYS)[number];

export type Fact = { readonly key: string; readonly value: string };

const V = '([^.!?,;]+)';
const pattern = (text: string): RegExp => new RegExp(`\\b${text}`, 'i');

/** In the order in which they are tried; the group is the value (SPEC M4). */
const PATTERNS: readonly (readonly [FactKey, RegExp])[] = [
  ['name', pattern(`my name is ${V}`)],
  ['name', pattern(`call me ${V}`)],
  ['timezone', pattern(`my timezone is ${V}`)],
  ['timezone', pattern(`timezone(?: is |\\s*=)${V}`)],
  ['language', pattern(`my language is ${V}`)],
  ['language', pattern(`language preference is ${V}`)],
  ['project', pattern(`my project (?:name )?is ${V}`)],
  ['project', pattern(`working on ${V}`)],
  ['editor', pattern(`my editor is ${V}`)],
  ['units', pattern('use (metric|imperial) units')],
];

const LONGEST_VALUE = 60;

const QUOTES = '"\'';
const TRAILING = '.!,;: ';

/** Without those characters at its end; written out, since a regex for it takes quadratic time. */
function withoutTrailing(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

const unquoted = (text: string): string =>
  withoutTrailing(text, QUOTES).replace(new RegExp(`^[${QUOTES}]+`), '');

const cleaned = (value: string): string =>
  cut(folded(withoutTrailing(unquoted(value.trim()), TRAILING)), LONGEST_VALUE);

/** The first stable fact that a text states about its speaker, or null (SPEC M4). */
export function factOf(text: string): Fact | null {
  for (const [key, expression] of PATTERNS) {
    const value = cleaned(expression.exec(text)?.[1] ?? '');
    if (value !== '') return { key, value };
  }
  return null;
}
