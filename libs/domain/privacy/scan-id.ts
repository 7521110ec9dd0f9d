import { finished, type Slices } from '../slices.js';
import type { Verdict } from './finding.js';
import type { RuleSet } from './rule-set.js';
import { jsonScan } from './scan-json.js';

/**
 * Returns an unknown field's name if an error text and a log line may show it: a plain word in which the privacy gate
 * finds nothing (SPEC P6). Undefined for any other name, such as the number of a card.
 */
export const shownName = (name: string, rules: RuleSet): string | undefined =>
  /^[A-Za-z0-9_-]{1,64}$/.test(name) && scanId(name, rules).outcome === 'clear' ? name : undefined;

/**
 * Returns the gate's verdict on an id that a caller chose (SPEC I4), scanned as written and with spaces
 * for `_`, `.` and `:`.
 */
export const scanId = (id: string, rules: RuleSet): Verdict => finished(idScan(id, rules));

/** The same as `scanId`, in slices. */
export const idScan = (id: string, rules: RuleSet): Slices<Verdict> =>
  jsonScan([id, id.replace(/[_.:]/g, ' ')], rules);
