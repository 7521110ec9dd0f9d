/**
 * Returns a value's JSON as UTF-8 bytes. If it returned a string, Fastify would encode the string to
 * count its bytes, and the socket would encode it a second time.
 */
export const jsonBytes = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));
