import { canonicalJson } from '../determinism/canonical-json.js';
import { isSealed, type Held } from '../held.js';
import { redactedText } from '../privacy/withheld.js';
import { cutToCodePoints } from './tokens.js';

/** The maximum code points of an episode's summary, whether a caller or the service wrote it (SPEC E1, J7). */
export const SUMMARY_CODE_POINTS = 2_000;
/** The maximum code points of the summary in an episodic_summary (SPEC J7). */
const CWM_SUMMARY_CODE_POINTS = 500;
/** The maximum canonical bytes of an episode's payload (SPEC E1). */
export const PAYLOAD_BYTES = 256 * 1024;
/** The maximum items of the evidence of an episode or of a proposal. */
export const EVIDENCE_ITEMS = 1_000;

const canonicalText = (held: Held): string =>
  isSealed(held) ? redactedText(held.sealed.type) : canonicalJson(held.value);

/**
 * Returns the summary of a fact that the job's end turns into an episode: the value if it is a string,
 * otherwise its canonical JSON (SPEC J7).
 */
export const factSummary = (held: Held): string =>
  cutToCodePoints(
    !isSealed(held) && typeof held.value === 'string' ? held.value : canonicalText(held),
    SUMMARY_CODE_POINTS,
  );

/** Returns `<topic>: ` and the items' canonical JSON joined by `; `, cut to 500 code points (SPEC J7). */
export const cwmSummary = (topic: string, items: readonly Held[]): string =>
  cutToCodePoints(`${topic}: ${items.map(canonicalText).join('; ')}`, CWM_SUMMARY_CODE_POINTS);
