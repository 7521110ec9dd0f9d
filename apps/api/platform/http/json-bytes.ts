/**
 * Returns a value's JSON as UTF-8 bytes: Fastify would count the bytes of a string, and the socket would
 * encode it again.
 */
export const jsonBytes = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));
