import type { Verdict } from './finding.js';
import { scanJson } from './scan-json.js';

/**
 * What the gate says of an id that somebody chose (SPEC I4): as it is, and with spaces for what may stand
 * for them in an id.
 */
export const scanId = (id: string): Verdict => scanJson([id, id.replace(/[_.:]/g, ' ')]);
