import type { LogRedaction } from '../reflective-log/fields.js';
import type { JobEvent } from './events.js';

/** Returns the event `pii_redacted`, or no event if nothing was removed (SPEC P3). */
export const redactedFrom = (
  subject: 'goal' | 'episode',
  redactions: readonly LogRedaction[] = [],
): JobEvent[] =>
  redactions.length === 0 ? [] : [{ type: 'pii_redacted', data: { subject, redactions } }];
