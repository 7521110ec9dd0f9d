/** The kinds of entries that a search finds (SPEC Q1). */
export const SEARCH_KINDS = ['episode', 'fact', 'memory_item', 'note', 'wm', 'cwm'] as const;
export type SearchKind = (typeof SEARCH_KINDS)[number];
/** The kinds of entries in the index: a recall finds the memories of a person (SPEC W2). */
export type EntryKind = SearchKind | 'memory';
