import { PAYLOAD_BYTES, SUMMARY_CODE_POINTS } from '../episode/summaries.js';
import { codePoints } from '../episode/tokens.js';
import { limitOf, requireSize } from '../size-limit.js';
import type { InsertWm, WriteEpisode } from './commands.js';
import { isCount, MAX_ENTRIES } from './constants.js';
import { checkCarriable, checkContent, invalid, VALUE_BYTES } from './entry.js';
import { EPISODE_SOURCES } from './events.js';
import type { JobState } from './state.js';

/** The limits of a goal (SPEC J2), and of an episode's payload and evidence (SPEC E1). */
export const GOAL = limitOf('goal', VALUE_BYTES);
export const PAYLOAD = limitOf('payload', PAYLOAD_BYTES);
export const EVIDENCE = limitOf('evidence', PAYLOAD_BYTES);
const MAX_READ_IDS = 1_000;

/** Checks the limits of an insert. @throws Refusal INVALID_INPUT beyond the limits of SPEC J2. */
export function checkInsert(state: JobState, command: InsertWm): void {
  checkContent(command);
  if (command.ttl_ticks !== undefined && !isCount(command.ttl_ticks))
    throw invalid('ttl_ticks: must be an integer from 1 to 10000');
  if (state.wm.length >= MAX_ENTRIES) throw invalid(`wm: holds ${MAX_ENTRIES} entries already`);
}

/** Checks a goal. @throws Refusal INVALID_INPUT if it is too large or JCS or Postgres cannot represent it. */
export function checkGoal(goal: string): void {
  checkCarriable('goal', goal);
  requireSize(goal, GOAL);
}

/** Checks the limits of an episode. @throws Refusal INVALID_INPUT beyond the limits of SPEC E1. */
export function checkEpisode(command: WriteEpisode): void {
  const { source, summary, payload, sealed_payload, evidence } = command;
  if (!EPISODE_SOURCES.includes(source))
    throw invalid(`source: must be one of ${EPISODE_SOURCES.join(', ')}`);
  checkCarriable('summary', summary);
  checkCarriable('payload', payload);
  checkCarriable('evidence', evidence);
  if (codePoints(summary) > SUMMARY_CODE_POINTS)
    throw invalid(`summary: at most ${SUMMARY_CODE_POINTS} characters are allowed`);
  requireSize(sealed_payload ?? payload, PAYLOAD);
  requireSize(evidence, EVIDENCE);
}

/** Checks a recorded read. @throws Refusal INVALID_INPUT for more ids than any answer can hold. */
export function checkRead(ids: readonly string[]): void {
  checkCarriable('ids', ids);
  if (ids.length > MAX_READ_IDS) throw invalid(`ids: at most ${MAX_READ_IDS} are allowed`);
}
