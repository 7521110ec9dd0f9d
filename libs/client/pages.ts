/** Yields the pages of a list, one after the other. `list` gets the cursor of the next page; none for the first. */
export async function* pagesOf<Page extends { readonly next_cursor: string | null }>(
  list: (next: { readonly cursor?: string }) => Promise<Page>,
): AsyncGenerator<Page, void, undefined> {
  let next: { readonly cursor?: string } | undefined = {};
  while (next !== undefined) {
    const page: Page = await list(next);
    yield page;
    next = page.next_cursor === null ? undefined : { cursor: page.next_cursor };
  }
}
