import { cwmId } from '../determinism/ids.js';
import { Refusal } from '../errors/refusal.js';
import type { Json, JsonObject } from '../json.js';
import { seedOfJobStream } from '../stream-names.js';
import type { CarriedCwm } from './events.js';
import {
  type CwmItem,
  cwmTtl,
  hasEnded,
  type JobState,
  startedJob,
  type WmEntry,
  wmTtl,
} from './state.js';

/** Returns the JSON of a WM entry for views, for `wm/find` and for the entry's episode (SPEC J2). */
export const wmEntryJson = (entry: WmEntry, tick: number): JsonObject => ({
  wm_id: entry.wm_id,
  ...entry.content,
  created_at_tick: entry.created_at_tick,
  ttl_ticks: wmTtl(entry, tick),
  references: entry.references,
  ...(entry.returned_from === undefined ? {} : { returned_from: entry.returned_from }),
});

/** Returns the JSON of a CWM item for views, for `cwm/find` and for the summary (SPEC J4). */
export const cwmItemJson = (item: CwmItem, tick: number): JsonObject => ({
  cwm_id_item: item.item_id,
  ...item.content,
  promoted_from_wm: true,
  ttl_ticks: cwmTtl(item, tick),
  references: item.references,
});

/** Returns the current CWM: its items in order of insertion, and its estimated size in tokens. */
export function cwmJson(state: JobState) {
  const { session_id, job_seed } = startedJob(state);
  return {
    cwm_id: cwmId(session_id ?? job_seed),
    topic: state.topic,
    items: state.cwm.map((item) => cwmItemJson(item, state.tick)),
    token_estimate: state.token_estimate,
  } as const satisfies Json;
}

/**
 * Returns the public view of a job (SPEC §13), with WM newest first. @throws Refusal NOT_FOUND if the
 * job has never started.
 */
export function jobView(state: JobState) {
  if (state.started === undefined)
    throw new Refusal('NOT_FOUND', { what: 'job', id: seedOfJobStream(state.stream) });
  return {
    job_seed: state.started.job_seed,
    status: hasEnded(state) ? ('ended' as const) : ('running' as const),
    tick: state.tick,
    version: state.version,
    wm: state.wm.map((entry) => wmEntryJson(entry, state.tick)).reverse(),
    cwm: cwmJson(state),
    snapshots: state.started.snapshots,
  } as const satisfies Json;
}

/** Returns the CWM that the next job of the session copies into its first event (SPEC J1). */
export const carriedCwm = (state: JobState): CarriedCwm => ({
  from_job_seed: startedJob(state).job_seed,
  topic: state.topic,
  items: state.cwm.map((item) => ({
    item_id: item.item_id,
    ...item.content,
    ttl_ticks: cwmTtl(item, state.tick),
    references: item.references,
  })),
});

/** Returns the whole state as plain JSON; state_hash covers this JSON (SPEC X1). */
export const jobStateJson = (state: JobState): Json =>
  state.started === undefined
    ? null
    : {
        ...jobView(state),
        started: state.started,
        wm_counter: state.wm_counter,
        episode_counter: state.episode_counter,
        uses: state.wm.map((entry) => [entry.counter, ...entry.uses]),
        uses_since_tick: state.cwm.map((item) =>
          item.used_at_tick === state.tick ? item.uses_since_tick : 0,
        ),
        consolidated: state.consolidated,
        summarised: state.summarised,
        ...(state.handed_log === undefined ? {} : { reflective_log: state.handed_log }),
        ...(state.query === undefined ? {} : { query: state.query }),
      };
