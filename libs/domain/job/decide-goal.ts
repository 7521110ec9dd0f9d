import { canonicalJson } from '../determinism/canonical-json.js';
import { tokensOf } from '../episode/tokens.js';
import { isSealed, type Held } from '../held.js';
import type { JobEvent } from './events.js';
import { cwmTtl, type JobState } from './state.js';

/** True if a value shares a token with the goal. A sealed value never does (SPEC P5). */
const sharesToken = (held: Held, wanted: ReadonlySet<string>): boolean =>
  !isSealed(held) && tokensOf(canonicalJson(held.value)).some((token) => wanted.has(token));

/**
 * Returns the effects of a new goal on the CWM: every item that shares no token with the goal ages by
 * one tick at once, and an item whose ttl has run out expires (SPEC J6).
 */
export function agedByGoal(state: JobState, goal: string): JobEvent[] {
  const wanted = new Set(tokensOf(goal));
  const { tick } = state;
  return state.cwm
    .filter((item) => !sharesToken(item.content, wanted))
    .flatMap((item): JobEvent[] => {
      const data = { item_id: item.item_id, tick };
      const aged: JobEvent = { type: 'cwm_aged', data };
      return cwmTtl(item, tick) <= 1 ? [aged, { type: 'cwm_expired', data }] : [aged];
    });
}
