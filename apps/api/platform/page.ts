/**
 * Returns a page of a list, and where the next one begins; null on the last page. @param found the rows of the page and
 * one more, if there is one @param cursorOf the place of a row
 */
export function pageOf<Row>(
  found: readonly Row[],
  limit: number,
  cursorOf: (row: Row) => string,
): { readonly rows: readonly Row[]; readonly next_cursor: string | null } {
  const rows = found.slice(0, limit);
  const last = rows.at(-1);
  return { rows, next_cursor: found.length > limit && last !== undefined ? cursorOf(last) : null };
}
