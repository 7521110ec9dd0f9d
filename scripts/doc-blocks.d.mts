/** Returns the programs of a page, by the file that the info string names, such as `js file=chat.mjs`. */
export function programsOf(page: string): ReadonlyMap<string, string>;
