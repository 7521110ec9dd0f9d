import { type EventSchema, input } from '../decider.js';

export type LogIdentityEvent =
  | { readonly type: 'log_identified'; readonly data: LogIdentified }
  /** The log got its naming key. The first one is the log's key for ever. */
  | { readonly type: 'naming_key_made'; readonly data: WrappedNamingKey }
  /** The same naming key, wrapped with the sealing key that replaced the earlier one. */
  | { readonly type: 'naming_key_rewrapped'; readonly data: WrappedNamingKey };

export type LogIdentified = {
  /** A random UUID. A copy of the log keeps it. */
  readonly log_id: string;
};

/** The key by which streams get names that reveal nothing, as the log holds it. */
export type WrappedNamingKey = {
  /** A digest of the key: two wrapped forms with the same digest contain the same key. */
  readonly key_digest: string;
  /** A compact JWE (dir + A256GCM). */
  readonly wrapped: string;
  /** The id of the sealing key that opens it. */
  readonly wrapped_by: string;
};

export const logIdentitySchemas: Readonly<Record<LogIdentityEvent['type'], EventSchema>> = {
  log_identified: input,
  naming_key_made: input,
  naming_key_rewrapped: input,
};
