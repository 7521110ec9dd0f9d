import { type Held, isSealed } from '../held.js';
import type { Json } from '../json.js';
import { REDACTION_REASON } from './redact.js';

/** Returns a recorded value as a caller sees it who must not see personal data (SPEC P3). */
export const redactedView = (held: Held): Json =>
  isSealed(held)
    ? { redacted: true, type: held.sealed.type, redaction_reason: REDACTION_REASON }
    : held.value;
