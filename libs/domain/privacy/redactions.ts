import type { LogRedaction } from '../reflective-log/fields.js';

type Redactions = { readonly redactions?: readonly LogRedaction[] };

/** Returns the redactions as a field, or no field if nothing was removed. */
export const redactionsOf = (redactions: readonly LogRedaction[] = []): Redactions =>
  redactions.length === 0 ? {} : { redactions };

/** Returns the event `pii_redacted` in a list, which is empty if nothing was removed (SPEC P3). */
export const piiRedacted = <Subject extends string>(
  subject: Subject,
  redactions: readonly LogRedaction[] = [],
) =>
  redactions.length === 0 ? [] : [{ type: 'pii_redacted' as const, data: { subject, redactions } }];
