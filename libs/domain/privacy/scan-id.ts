import type { Verdict } from './finding.js';
import type { RuleSet } from './rule-set.js';
import { finished, type Slices } from '../slices.js';
import { jsonScan } from './scan-json.js';

/**
 * Returns the gate's verdict on an id that a caller chose (SPEC I4), scanned as written and with spaces
 * for `_`, `.` and `:`.
 */
export const scanId = (id: string, rules: RuleSet): Verdict => finished(idScan(id, rules));

/** The same as `scanId`, in slices. */
export const idScan = (id: string, rules: RuleSet): Slices<Verdict> =>
  jsonScan([id, id.replace(/[_.:]/g, ' ')], rules);
