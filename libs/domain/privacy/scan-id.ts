import type { Verdict } from './finding.js';
import { DEFAULT_RULES } from './rule-set.js';
import { scanJson } from './scan-json.js';

/**
 * Returns the gate's verdict on an id that a caller chose (SPEC I4), scanned as written and with spaces
 * for `_`, `.` and `:`.
 */
export const scanId = (id: string, rules = DEFAULT_RULES): Verdict =>
  scanJson([id, id.replace(/[_.:]/g, ' ')], '', rules);
