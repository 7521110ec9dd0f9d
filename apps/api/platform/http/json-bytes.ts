import { canonicalJson } from '#domain/determinism/canonical-json.js';

/**
 * Returns a value's JSON as UTF-8 bytes. If it returned a string, Fastify would encode the string to
 * count its bytes, and the socket would encode it a second time.
 */
export const jsonBytes = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));

/** Returns a value's canonical JSON as UTF-8 bytes, in which keys have one order (SPEC I5). */
export const canonicalBytes = (value: unknown): Buffer => Buffer.from(canonicalJson(value));
