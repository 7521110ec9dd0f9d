/** Returns a value's JSON as UTF-8. Of a string Fastify would count the bytes first, and the socket would encode it later. */
export const jsonBytes = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));
