/** Injection tokens. `Postgres` and `Metrics` do not need one, because their classes are the tokens. */

/** `CONFIG` provides a `ServiceConfig`, and `LOGGER` a `pino.Logger`. */
export { CONFIG, LOGGER } from '#platform/tokens.js';

/** `EventStore`: the connection, inside a wrapper that counts appends. */
export const EVENT_STORE = Symbol('EVENT_STORE');
/** `KeyedHash` */
export const KEYED_HASH = Symbol('KEYED_HASH');
/** `Seals`: what became of the keys that have sealed the values of a command. */
export const SEALS = Symbol('SEALS');
/** `ArtifactStore` */
export const ARTIFACTS = Symbol('ARTIFACTS');
/** `Keyring`: the key that signs ReflectiveLogs, and the keys that still verify them. */
export const KEYRING = Symbol('KEYRING');
/** `ReadModels` */
export const READ_MODELS = Symbol('READ_MODELS');

/** `Participants`: the agents and the council. */
export const AGENTS = Symbol('AGENTS');

/** `RefusedWrites` */
export const REFUSED_WRITES = Symbol('REFUSED_WRITES');

/** `AggregateStore`s, one for each decider. */
export const JOB_STORE = Symbol('JOB_STORE');
export const SEM_STORE = Symbol('SEM_STORE');
export const ACTION_REQUEST_STORE = Symbol('ACTION_REQUEST_STORE');
export const SESSION_STORE = Symbol('SESSION_STORE');
export const MEMORIES_STORE = Symbol('MEMORIES_STORE');
export const NOTE_STORE = Symbol('NOTE_STORE');
export const OWNER_STORE = Symbol('OWNER_STORE');
export const COMMAND_CLAIM_STORE = Symbol('COMMAND_CLAIM_STORE');
export const CHECKPOINT_STORE = Symbol('CHECKPOINT_STORE');
export const CONSENT_STORE = Symbol('CONSENT_STORE');
export const CONVERSATION_STORE = Symbol('CONVERSATION_STORE');
export const AUDIT_STORE = Symbol('AUDIT_STORE');
export const MEMORY_STORE = Symbol('MEMORY_STORE');
export const QUARANTINE_STORE = Symbol('QUARANTINE_STORE');
export const REFLECTIVE_LOG_STORE = Symbol('REFLECTIVE_LOG_STORE');
export const ROUTER_STORE = Symbol('ROUTER_STORE');
export const THREAD_STORE = Symbol('THREAD_STORE');
/** `Servers['embedded']`: the current embedded servers. */
export const EMBEDDED_SERVERS = Symbol('EMBEDDED_SERVERS');
/** `RuleSet`: the rules of the privacy detector. */
export const PRIVACY_RULES = Symbol('PRIVACY_RULES');
/** `OutsideRecogniser`, or undefined without one. */
export const OUTSIDE_RECOGNISER = Symbol('OUTSIDE_RECOGNISER');
