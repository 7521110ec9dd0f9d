/** Injection tokens of every program. */

/** `ServiceConfig` */
export const CONFIG = Symbol('CONFIG');
/** `pino.Logger` */
export const LOGGER = Symbol('LOGGER');
/** `EventStore`: the connection itself. */
export const EVENT_STORE_CONNECTION = Symbol('EVENT_STORE_CONNECTION');
/** `Postgres` with all rights of the URL's user: for projections. Everything else injects `Postgres`, which changes no read model. */
export const OWNER_POSTGRES = Symbol('OWNER_POSTGRES');
