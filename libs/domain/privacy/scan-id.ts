import type { Verdict } from './finding.js';
import { scanJson } from './scan-json.js';

/**
 * The gate's verdict on an id that a caller chose (SPEC I4): as written, and with spaces for the characters
 * `_`, `.` and `:`.
 */
export const scanId = (id: string): Verdict => scanJson([id, id.replace(/[_.:]/g, ' ')]);
