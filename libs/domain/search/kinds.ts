/** The kinds of entries that a search finds (SPEC Q1). */
export const SEARCH_KINDS = ['episode', 'fact', 'memory_item', 'note', 'wm', 'cwm'] as const;
export type SearchKind = (typeof SEARCH_KINDS)[number];
