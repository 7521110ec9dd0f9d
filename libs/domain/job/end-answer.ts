import { canonicalJson } from '../determinism/canonical-json.js';
import { reflectiveLogId } from '../determinism/ids.js';
import { cutToCodePoints } from '../episode/tokens.js';
import { isSealed, type Held } from '../held.js';
import type { Json } from '../json.js';
import { becomesEpisode, owedByEnd } from './decide-end.js';
import {
  type ExpiredEntry,
  type JobState,
  SHOWN_ENTRIES,
  startedJob,
  withExpired,
} from './state.js';

const EXCERPT_CODE_POINTS = 80;
const SEALED = '(personal data)';

const excerpt = (text: string): string => cutToCodePoints(text, EXCERPT_CODE_POINTS);

/** Returns the beginning of a content: of the value if it is a string, otherwise of its canonical JSON. */
function excerptOf(content: Held): string {
  if (isSealed(content)) return SEALED;
  const { value } = content;
  return excerpt(typeof value === 'string' ? value : canonicalJson(value));
}

const shown = (entries: readonly ExpiredEntry[]) =>
  entries.map(({ id, content }) => ({ id, type: content.type, content: excerptOf(content) }));

/** The episodes that the end makes; the summary of the CWM is the last. */
function kept(state: JobState) {
  const count = state.wm.filter(becomesEpisode).length + 1;
  const last = owedByEnd(state, Math.max(0, count - SHOWN_ENTRIES));
  return {
    count,
    items: last.map(({ data: { episodic_id, summary } }) => ({
      episodic_id,
      summary: excerpt(summary),
    })),
  };
}

/** What has expired, and the entries in WM that the end neither keeps nor hands on. */
function expired(state: JobState) {
  const left = state.wm.filter((entry) => !becomesEpisode(entry));
  const { count, last } = withExpired(
    state.expired,
    left.map(({ wm_id, content }) => ({ id: wm_id, content })),
  );
  return { count, items: shown(last) };
}

/** The CWM with which the next job of the session begins; nothing without a session (SPEC J1). */
function carried(state: JobState) {
  const cwm = startedJob(state).session_id === null ? [] : state.cwm;
  const last = cwm.slice(-SHOWN_ENTRIES);
  return {
    count: cwm.length,
    items: shown(last.map(({ item_id, content }) => ({ id: item_id, content }))),
  };
}

/**
 * Returns the answer to an end: what stays of the job's memory and what is gone. It depends only on the state after
 * `job_ended`, so a retry gets the same answer. Each list has the last of its entries, oldest first.
 */
export const endAnswer = (state: JobState) =>
  ({
    status: 'ended',
    reflective_log_id: reflectiveLogId(startedJob(state).job_seed),
    kept: kept(state),
    carried: carried(state),
    expired: expired(state),
  }) as const satisfies Json;
