import { hashJson } from './hash.js';

/** The command_id of a request that carries an Idempotency-Key; `route` is method and path (SPEC I7). */
export const keyedCommandId = (sub: string, route: string, idempotencyKey: string): string =>
  hashJson([sub, route, idempotencyKey]);
