const AT_ONCE = 16;

/** Does the work for every entry, for a few at the same time. */
export async function inBatches<Entry>(
  entries: readonly Entry[],
  work: (entry: Entry) => Promise<unknown>,
): Promise<void> {
  for (let start = 0; start < entries.length; start += AT_ONCE)
    await Promise.all(entries.slice(start, start + AT_ONCE).map(work));
}
