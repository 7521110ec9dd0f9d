/**
 * Returns a value's JSON as UTF-8. With a string, Fastify would count the bytes and the socket would encode
 * them again.
 */
export const jsonBytes = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));
