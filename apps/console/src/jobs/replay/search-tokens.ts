import type { Conditions } from '../record/job-record';

/** A search as the reader wrote it: conditions on the events, or what is wrong with it. */
export interface ParsedSearch {
  /** Undefined if the search is empty or wrong. */
  readonly conditions: Conditions | undefined;
  readonly problem: string | undefined;
}

export const TOKENS =
  'type: (an event type or its beginning), tick: (5 or 9-14), actor: and kind: (input or outcome)';

const MAX_WORDS = 200;
const NONE: ParsedSearch = { conditions: undefined, problem: undefined };

const wrong = (problem: string): ParsedSearch => ({ conditions: undefined, problem });

type Token =
  | { readonly name: string; readonly value: string }
  | { readonly name: undefined; readonly value: string };

/** Splits a search into tokens such as `tick:9-14`, and words; a word that stands in quotes keeps them. */
function tokensIn(search: string): readonly Token[] {
  return [...search.matchAll(/"[^"]*"?|[^\s"]+(?:"[^"]*"?)?/g)].map(([part]) => {
    const colon = part.search(/[":]/);
    const name = part.slice(0, Math.max(0, colon)).toLowerCase();
    return part[colon] === ':' && /^[a-z_]+$/.test(name)
      ? { name, value: part.slice(colon + 1).replaceAll('"', '') }
      : { name: undefined, value: part };
  });
}

/**
 * Reads a search such as `type:wm_inserted tick:9-14 seattle`.
 * @param types the types of the job's events
 */
export function parseSearch(search: string, types: readonly string[]): ParsedSearch {
  const tokens = tokensIn(search);
  if (tokens.length === 0) return NONE;
  const valuesOf = (name: string): readonly string[] =>
    tokens.filter((token) => token.name === name).map(({ value }) => value);
  for (const { name } of tokens)
    if (name !== undefined && !['type', 'tick', 'actor', 'kind'].includes(name))
      return wrong(
        `There is no “${name}:”. There are ${TOKENS}. Put quotes around a text with a colon to look for it.`,
      );
  for (const name of ['tick', 'actor', 'kind'])
    if (valuesOf(name).length > 1) return wrong(`Write ${name}: once.`);
  const words = tokens.flatMap(({ name, value }) => (name === undefined ? [value] : [])).join(' ');
  if (words.length > MAX_WORDS) return wrong(`Write at most ${MAX_WORDS} characters of words.`);
  const parts = [typesIn(valuesOf('type'), types), ticksIn(valuesOf('tick')[0])];
  const problem = parts.find((part) => typeof part === 'string');
  if (typeof problem === 'string') return wrong(problem);
  const [actor_name, kind] = [valuesOf('actor')[0], valuesOf('kind')[0]];
  if (actor_name === '') return wrong('Write the actor, or the beginning of its name: actor:ada.');
  if (kind !== undefined && kind !== 'input' && kind !== 'outcome')
    return wrong('Write kind:input or kind:outcome.');
  const conditions = Object.assign(
    {},
    ...parts,
    actor_name === undefined ? {} : { actor_name },
    kind === undefined ? {} : { kind },
    words === '' ? {} : { words },
  ) as Conditions;
  return { conditions, problem: undefined };
}

/** Returns the condition that `type:` asks for, or what is wrong with it. */
function typesIn(asked: readonly string[], types: readonly string[]): Conditions | string {
  if (asked.length === 0) return {};
  const beginnings = asked.flatMap((value) => value.toLowerCase().split(','));
  const meant = types.filter((type) =>
    beginnings.some((one) => one !== '' && type.startsWith(one)),
  );
  return meant.length > 0
    ? { types: meant.join(',') }
    : `No event here is of this type. There are ${types.toSorted().join(', ')}.`;
}

/** Returns the condition that `tick:` asks for, or what is wrong with it. */
function ticksIn(asked: string | undefined): Conditions | string {
  if (asked === undefined) return {};
  const [, from, to = from] = /^(\d{1,9})(?:-(\d{1,9}))?$/.exec(asked) ?? [];
  if (from === undefined || Number(to) < Number(from))
    return 'Write a tick, or the first and the last: tick:5 or tick:9-14.';
  return { from_tick: Number(from), to_tick: Number(to) };
}

/** Returns the search that stands in addresses of earlier versions, which had a field for each condition. */
export function searchOfFields(fields: {
  readonly types?: string | undefined;
  readonly kind?: string | undefined;
  readonly from_tick?: number | undefined;
  readonly to_tick?: number | undefined;
  readonly text?: string | undefined;
}): string {
  const { types, kind, from_tick: from, to_tick: to, text } = fields;
  return [
    ...(types === undefined ? [] : [`type:${types}`]),
    ...(kind === undefined ? [] : [`kind:${kind}`]),
    ...(from === undefined && to === undefined ? [] : [`tick:${from ?? 0}-${to ?? 999_999_999}`]),
    ...(text === undefined ? [] : [`"${text.replaceAll('"', '')}"`]),
  ].join(' ');
}
