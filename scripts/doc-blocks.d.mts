/** Returns the programs of a page, by the file that the info string names, such as `ts file=chat.ts`. */
export function programsOf(page: string): ReadonlyMap<string, string>;
