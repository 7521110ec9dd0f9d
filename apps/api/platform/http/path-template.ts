/** Returns a path as openapi.json writes it: `/v1/jobs/{seed}` for `/v1/jobs/:seed`. */
export const templateOf = (pattern: string): string => pattern.replace(/(?<=\/):(\w+)/g, '{$1}');
