import { type EventSchema, input, outcome } from '../decider.js';
import type { LogRedaction } from '../reflective-log/fields.js';

/** The events of `audit-<first 16 hex of sha256(sub)>` (SPEC I1, G7). */
export type AuditEvent =
  /** The caller read personal data unredacted. It is recorded before the answer (SPEC G7). */
  | { readonly type: 'admin_access_event'; readonly data: AdminAccess }
  | { readonly type: 'command_refused'; readonly data: CommandRefused }
  /** Recorded in the audit stream of `system`: a read model held more than one value for a fact (004 F2). */
  | { readonly type: 'data_integrity_warning'; readonly data: DataIntegrityWarning }
  /** Personal data was removed from the reason of a read (SPEC P3). */
  | {
      readonly type: 'pii_redacted';
      readonly data: { readonly subject: 'access'; readonly redactions: readonly LogRedaction[] };
    };

export type AdminAccess = {
  /** The stream whose personal data was read. */
  readonly stream: string;
  /** The version that was read; null for the latest one. */
  readonly version: number | null;
  /** Why the caller read it, in the caller's words without personal data; missing if the caller did not say so. */
  readonly reason?: string;
  readonly redactions?: readonly LogRedaction[];
};

export type CommandRefused = {
  readonly code: string;
  /** The HTTP method and the route's pattern, without ids. */
  readonly route: string;
  /** The stream that the command would have written; null if unknown. */
  readonly stream: string | null;
  /** The number of earlier refusals that were counted but not recorded, because there were over 60 in a minute. */
  readonly uncounted_before: number;
};

export type DataIntegrityWarning = {
  readonly read_model: string;
  /** The stream of the fact. */
  readonly stream: string;
  readonly values: number;
  /** The timestamp of the value that the read returned, which is the latest of the values found. */
  readonly taken_timestamp: string | null;
};

export const auditSchemas: Readonly<Record<AuditEvent['type'], EventSchema>> = {
  // Version 2 may have a reason. Nobody could give one for a read of version 1.
  admin_access_event: { version: 2, kind: 'input', upcast: { 1: (data) => data } },
  command_refused: input,
  data_integrity_warning: input,
  pii_redacted: outcome,
};
