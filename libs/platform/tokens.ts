/** Injection tokens of every program. */

/** `ServiceConfig` */
export const CONFIG = Symbol('CONFIG');
/** `pino.Logger` */
export const LOGGER = Symbol('LOGGER');
/** `EventStore`: the connection itself. */
export const EVENT_STORE_CONNECTION = Symbol('EVENT_STORE_CONNECTION');
/**
 * `Postgres` with all rights of the URL's user, for the projections. All other code injects `Postgres`,
 * which cannot change a read model.
 */
/** `Postgres` with the role of the keys of subjects. */
export const KEYS_POSTGRES = Symbol('KEYS_POSTGRES');

export const OWNER_POSTGRES = Symbol('OWNER_POSTGRES');
/** `string[] | undefined`: the names of the read models that a projector leads; undefined for all. */
export const ONLY = Symbol('ONLY');
