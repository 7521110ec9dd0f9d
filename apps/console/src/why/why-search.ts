import { given, oneOf, textIn } from '../data/search-params';

export const WHY_KINDS = ['fact', 'episode', 'memory_item', 'note'] as const;
export type WhyKind = (typeof WHY_KINDS)[number];

/** What the page is about, as its address has it. */
export interface WhySearch {
  readonly kind?: WhyKind;
  readonly id?: string;
}

export const KIND_WORDS: Readonly<Record<WhyKind, string>> = {
  fact: 'fact',
  episode: 'episode',
  memory_item: 'item of memory',
  note: 'note',
};

export const whySearchOf = ({ kind, id }: Record<string, unknown>): WhySearch =>
  given({ kind: oneOf(WHY_KINDS, kind), id: textIn(id) });
