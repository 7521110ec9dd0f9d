import { SUMMARY_CODE_POINTS } from '../episode/summaries.js';
import { cutToCodePoints } from '../episode/tokens.js';
import type { Json, JsonObject } from '../json.js';
import { redactionsOf } from '../privacy/redactions.js';
import type { Redactor } from '../privacy/redactor.js';
import type { Slices } from '../slices.js';

/** Returns, in slices, a goal without personal data, and what was removed from it (SPEC P3). */
export function* redactedGoal(text: string, redactor: Redactor) {
  const goal = yield* redactor.slicedText(text, 'goal');
  return { goal, ...redactionsOf(redactor.redactions) };
}

/** The parts of an episode in which personal data is redacted. */
export interface EpisodeWords {
  readonly summary: string;
  readonly payload: Json;
  readonly evidence: readonly JsonObject[];
}

/** Returns, in slices, the parts of an episode without personal data, and the redactions in them (SPEC P3). */
export function* redactedEpisode(
  { summary, payload, evidence }: EpisodeWords,
  redactor: Redactor,
): Slices<EpisodeWords & ReturnType<typeof redactionsOf>> {
  const clean = {
    summary: yield* redactor.slicedText(summary, 'summary'),
    payload: yield* redactor.slicedJson(payload, 'payload'),
    evidence: yield* redactor.slicedJson(evidence, 'evidence'),
  };
  const { redactions } = redactor;
  if (redactions.length === 0) return clean;
  // A redaction can make a text longer.
  const cut = cutToCodePoints(clean.summary, SUMMARY_CODE_POINTS);
  return { ...clean, summary: cut, ...redactionsOf(redactions) };
}
