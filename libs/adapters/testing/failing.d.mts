/** Returns a `fetch` that cannot reach routes whose path ends so, such as `/v1/remember`. */
export function failingAt(end: string): typeof fetch;
