import { cwmItemId, wmId } from '../determinism/ids.js';
import { Refusal } from '../errors/refusal.js';
import { MAX_ENTRIES } from './constants.js';
import { hasCounter } from './counter-set.js';
import type { JobConstants, JobEvent } from './events.js';
import {
  cwmTtl,
  startedJob,
  tokenEstimate,
  wasUsedSince,
  wmTtl,
  type CwmItem,
  type JobState,
  type WmEntry,
} from './state.js';

/** The parts of an item that decide whether it leaves the CWM: its size and its references. */
type Weighed = Pick<CwmItem, 'item_id' | 'token_estimate' | 'references'>;

const isPromotable = (entry: WmEntry, t: number, constants: JobConstants): boolean => {
  const nth = entry.uses.at(-constants.promotion_references);
  return nth !== undefined && t - nth <= constants.promotion_window;
};

/** Moves an entry to the CWM. @throws Refusal PROMOTION_LOOP if the same wm_id was promoted before (SPEC J4). */
function promotionOf(state: JobState, { wm_id, counter }: WmEntry, tick: number): JobEvent {
  if (hasCounter(state.promoted, counter)) throw new Refusal('PROMOTION_LOOP', { wm_id });
  return { type: 'promotion_event', data: { wm_id, item_id: cwmItemId(wm_id), tick } };
}

/**
 * Returns the items that return to WM because they were used often since the last tick, as far as WM has
 * room (SPEC J5).
 */
function returningItems(state: JobState, promotedCount: number): CwmItem[] {
  const { promotion_references } = startedJob(state).constants;
  const room = MAX_ENTRIES - (state.wm.length - promotedCount);
  return state.cwm
    .filter(
      (item) => wasUsedSince(item, state.tick) && item.uses_since_tick >= promotion_references,
    )
    .slice(0, Math.max(0, room));
}

/**
 * Returns the items that must leave to keep the budget: those with the fewest references first, and of
 * equal ones the oldest (SPEC J5).
 */
function overBudget(items: readonly Weighed[], budget: number): Weighed[] {
  let tokens = items.reduce((sum, item) => sum + item.token_estimate, 0);
  let count = items.length;
  if (tokens <= budget && count <= MAX_ENTRIES) return [];
  const leaving: Weighed[] = [];
  // The sort is stable and items are in insertion order, so of equal items the oldest leaves first.
  for (const item of [...items].sort((left, right) => left.references - right.references)) {
    if (tokens <= budget && count <= MAX_ENTRIES) break;
    leaving.push(item);
    tokens -= item.token_estimate;
    count -= 1;
  }
  return leaving;
}

/** One tick and everything that follows from it, in the order of SPEC J3. */
export function decideTick(state: JobState): JobEvent[] {
  const { constants, job_seed } = startedJob(state);
  const tick = state.tick + 1; // (1)
  const promotable = state.wm.filter((entry) => isPromotable(entry, tick, constants)); // (2)
  const returning = returningItems(state, promotable.length); // (3)
  const staying = new Set<WmEntry | CwmItem>([...promotable, ...returning]);
  const expired = state.wm.filter((entry) => !staying.has(entry) && wmTtl(entry, tick) <= 0); // (4)
  const kept: Weighed[] = [];
  const expiredItems: CwmItem[] = []; // (5)
  for (const item of state.cwm) {
    if (staying.has(item)) continue;
    if (!wasUsedSince(item, state.tick) && cwmTtl(item, tick) <= 0) expiredItems.push(item);
    else kept.push(item);
  }
  for (const { wm_id, content, references } of promotable)
    kept.push({ item_id: cwmItemId(wm_id), token_estimate: tokenEstimate(content), references });

  return [
    { type: 'ticked', data: { tick } },
    ...promotable.map((entry) => promotionOf(state, entry, tick)),
    ...returning.map(({ item_id }, index): JobEvent => {
      const wm_id = wmId(job_seed, state.wm_counter + 1 + index);
      const ttl_ticks = constants.wm_default_ttl_ticks;
      return { type: 'cwm_returned', data: { item_id, wm_id, ttl_ticks, tick } };
    }),
    ...expired.map(({ wm_id }): JobEvent => ({ type: 'wm_expired', data: { wm_id, tick } })),
    ...expiredItems.map(({ item_id }): JobEvent => ({
      type: 'cwm_expired',
      data: { item_id, tick },
    })),
    ...overBudget(kept, constants.cwm_token_budget).map(
      // (6)
      ({ item_id, token_estimate }): JobEvent => ({
        type: 'cwm_evicted',
        data: { item_id, tick, token_estimate },
      }),
    ),
  ];
}
