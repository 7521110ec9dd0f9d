import { wmCounter } from '../determinism/ids.js';
import { seededBase } from '../determinism/seeded-clock.js';
import { Refusal } from '../errors/refusal.js';
import { heldOf, heldSize, type Held } from '../held.js';
import { NO_COUNTERS, withCounter, type CounterSet } from './counter-set.js';
import type { JobEvent, JobStarted, WmType } from './events.js';

/** A working-memory entry (SPEC J2). Its ttl is not counted down but derived: see `wmTtl`. */
export interface WmEntry {
  readonly wm_id: string;
  readonly counter: number;
  readonly type: WmType;
  readonly held: Held;
  readonly created_at_tick: number;
  /** The tick at which it expires. */
  readonly expires_at_tick: number;
  readonly references: number;
  /** The ticks of its last uses, oldest first; never more than promotion_references of them. */
  readonly uses: readonly number[];
  /** The CWM item it came from, if it returned from there (SPEC J5). */
  readonly returned_from?: string;
}

/** An item of the consolidated working memory (SPEC J4, J5). */
export interface CwmItem {
  readonly item_id: string;
  readonly type: WmType;
  readonly held: Held;
  readonly token_estimate: number;
  /** Goes on from the WM entry's. */
  readonly references: number;
  /** The tick at which it expires if it is not referenced; the first use since a tick moves it by one. */
  readonly expires_at_tick: number;
  /** How often it was referenced while the tick counter stood at `used_at_tick`. */
  readonly used_at_tick: number;
  readonly uses_since_tick: number;
}

/** What the fold of a job's stream knows. Immutable: every change makes new objects. */
export interface JobState {
  readonly stream: string;
  readonly status: 'none' | 'running' | 'ended';
  /** The number of `job_ended`, once it is there. */
  readonly ended_at?: number;
  /** The number of the stream's last event; -1 before the first. */
  readonly version: number;
  /** The first event's data; undefined only while `status` is `none`. */
  readonly started: JobStarted | undefined;
  /** Where the job's seeded time begins, in milliseconds since 1970 (SPEC I3). */
  readonly seeded_base: number;
  readonly tick: number;
  readonly topic: string;
  /** Oldest first, which is by counter. */
  readonly wm: readonly WmEntry[];
  readonly wm_counter: number;
  /** Which wm_ids were ever promoted: the guard of SPEC J4. */
  readonly promoted: CounterSet;
  /** In order of insertion, carried items first. */
  readonly cwm: readonly CwmItem[];
  /** Summed over the CWM (SPEC J5). */
  readonly token_estimate: number;
  readonly episode_counter: number;
  /** How many of the episodes that the end owes are written, and whether the summary is (SPEC J7). */
  readonly consolidated: number;
  readonly summarised: boolean;
}

export const initialJob = (stream: string): JobState => ({
  stream,
  status: 'none',
  version: -1,
  started: undefined,
  seeded_base: 0,
  tick: 0,
  topic: '',
  wm: [],
  wm_counter: 0,
  promoted: NO_COUNTERS,
  cwm: [],
  token_estimate: 0,
  episode_counter: 0,
  consolidated: 0,
  summarised: false,
});

/** ceil(UTF-8 bytes of JCS(value) / 4) (SPEC J5). */
export const tokenEstimate = (held: Held): number => Math.ceil(heldSize(held) / 4);

/** What is left of an entry's ttl: every tick after the one it came in takes one (SPEC J3). */
export const wmTtl = (entry: WmEntry, tick: number): number => entry.expires_at_tick - tick;

export const wasUsedSince = (item: CwmItem, tick: number): boolean =>
  item.used_at_tick === tick && item.uses_since_tick > 0;

/** What is left of an item's ttl: a use has pushed its expiry before the tick that it spares (SPEC J3). */
export const cwmTtl = (item: CwmItem, tick: number): number =>
  item.expires_at_tick - tick - (wasUsedSince(item, tick) ? 1 : 0);

/** Where the entry with that id stands in `wm`, or -1. */
export function wmIndex(wm: readonly WmEntry[], id: string): number {
  const counter = wmCounter(id);
  let low = 0;
  let high = wm.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const entry = wm[middle] as WmEntry;
    if (entry.counter === counter) return entry.wm_id === id ? middle : -1;
    if (entry.counter < counter) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}

/** Where the item with that id stands in `cwm`, or -1. */
export const cwmIndex = (cwm: readonly CwmItem[], id: string): number =>
  cwm.findIndex((item) => item.item_id === id);

const without = <Item>(list: readonly Item[], index: number): Item[] => list.toSpliced(index, 1);

const broken = (state: JobState, reason: string): Refusal =>
  new Refusal('INTEGRITY_FAILURE', { stream: state.stream, number: state.version + 1, reason });

function entryAt(state: JobState, id: string): [WmEntry, number] {
  const index = wmIndex(state.wm, id);
  const entry = state.wm[index];
  if (entry === undefined) throw broken(state, 'it names an entry that is not in WM');
  return [entry, index];
}

function itemAt(state: JobState, id: string): [CwmItem, number] {
  const index = cwmIndex(state.cwm, id);
  const item = state.cwm[index];
  if (item === undefined) throw broken(state, 'it names an item that is not in CWM');
  return [item, index];
}

/** The pinned facts of a job that has started. */
export function startedJob(state: JobState): JobStarted {
  if (state.started === undefined) throw broken(state, 'it stands before the start');
  return state.started;
}

function start(state: JobState, version: number, data: JobStarted): JobState {
  const cwm = (data.carried_cwm?.items ?? []).map((item): CwmItem => ({
    item_id: item.item_id,
    type: item.type,
    held: heldOf(item),
    token_estimate: tokenEstimate(heldOf(item)),
    references: item.references,
    expires_at_tick: item.ttl_ticks,
    used_at_tick: -1,
    uses_since_tick: 0,
  }));
  return {
    ...state,
    status: 'running',
    version,
    started: data,
    seeded_base: seededBase(data.job_seed, data.seeded_epoch ?? undefined),
    topic: data.goal ?? data.carried_cwm?.topic ?? '',
    cwm,
    token_estimate: cwm.reduce((sum, item) => sum + item.token_estimate, 0),
  };
}

function insertWm(state: JobState, version: number, entry: WmEntry): JobState {
  return { ...state, version, wm: [...state.wm, entry], wm_counter: entry.counter };
}

function referenceWm(state: JobState, version: number, wmId: string, tick: number): JobState {
  const [entry, index] = entryAt(state, wmId);
  const kept = startedJob(state).constants.promotion_references;
  const uses = [...entry.uses, tick];
  if (uses.length > kept) uses.shift();
  const used = { ...entry, references: entry.references + 1, uses };
  return { ...state, version, wm: state.wm.with(index, used) };
}

function referenceCwm(state: JobState, version: number, itemId: string, tick: number): JobState {
  const [item, index] = itemAt(state, itemId);
  const again = item.used_at_tick === tick;
  const used = {
    ...item,
    references: item.references + 1,
    expires_at_tick: item.expires_at_tick + (again ? 0 : 1),
    used_at_tick: tick,
    uses_since_tick: again ? item.uses_since_tick + 1 : 1,
  };
  return { ...state, version, cwm: state.cwm.with(index, used) };
}

function promote(
  state: JobState,
  version: number,
  { wm_id, item_id, tick }: { wm_id: string; item_id: string; tick: number },
): JobState {
  const [entry, index] = entryAt(state, wm_id);
  const item: CwmItem = {
    item_id,
    type: entry.type,
    held: entry.held,
    token_estimate: tokenEstimate(entry.held),
    references: entry.references,
    expires_at_tick: tick + startedJob(state).constants.cwm_ttl_ticks,
    used_at_tick: -1,
    uses_since_tick: 0,
  };
  return {
    ...state,
    version,
    wm: without(state.wm, index),
    promoted: withCounter(state.promoted, entry.counter),
    cwm: [...state.cwm, item],
    token_estimate: state.token_estimate + item.token_estimate,
  };
}

function leaveCwm(state: JobState, version: number, itemId: string): JobState {
  const [item, index] = itemAt(state, itemId);
  return {
    ...state,
    version,
    cwm: without(state.cwm, index),
    token_estimate: state.token_estimate - item.token_estimate,
  };
}

function ageCwm(state: JobState, version: number, itemId: string): JobState {
  const [item, index] = itemAt(state, itemId);
  const aged = { ...item, expires_at_tick: item.expires_at_tick - 1 };
  return { ...state, version, cwm: state.cwm.with(index, aged) };
}

/** Folds one event; what it costs does not grow with the length of the stream. */
export function evolveJob(state: JobState, event: JobEvent): JobState {
  const version = state.version + 1;
  switch (event.type) {
    case 'job_started':
      return start(state, version, event.data);
    case 'wm_inserted': {
      const { wm_id, type, created_at_tick, ttl_ticks } = event.data;
      return insertWm(state, version, {
        wm_id,
        counter: wmCounter(wm_id),
        type,
        held: heldOf(event.data),
        created_at_tick,
        expires_at_tick: created_at_tick + ttl_ticks,
        references: 0,
        uses: [],
      });
    }
    case 'wm_referenced':
      return referenceWm(state, version, event.data.wm_id, event.data.tick);
    case 'cwm_referenced':
      return referenceCwm(state, version, event.data.item_id, event.data.tick);
    case 'ticked':
      return { ...state, version, tick: event.data.tick };
    case 'promotion_event':
      return promote(state, version, event.data);
    case 'cwm_returned': {
      const { item_id, wm_id, ttl_ticks, tick } = event.data;
      const [item] = itemAt(state, item_id);
      return insertWm(leaveCwm(state, version, item_id), version, {
        wm_id,
        counter: wmCounter(wm_id),
        type: item.type,
        held: item.held,
        created_at_tick: tick,
        expires_at_tick: tick + ttl_ticks,
        references: 0,
        uses: [],
        returned_from: item_id,
      });
    }
    case 'wm_expired':
      return { ...state, version, wm: without(state.wm, entryAt(state, event.data.wm_id)[1]) };
    case 'cwm_expired':
    case 'cwm_evicted':
      return leaveCwm(state, version, event.data.item_id);
    case 'goal_set':
      return { ...state, version, topic: event.data.goal };
    case 'cwm_aged':
      return ageCwm(state, version, event.data.item_id);
    case 'episode_written':
      return { ...state, version, episode_counter: state.episode_counter + 1 };
    case 'episode_consolidated':
      return {
        ...state,
        version,
        episode_counter: state.episode_counter + 1,
        consolidated: state.consolidated + 1,
      };
    case 'episodic_summary':
      return {
        ...state,
        version,
        episode_counter: state.episode_counter + 1,
        summarised: true,
      };
    case 'memory_read':
      return { ...state, version };
    case 'job_ended':
      return { ...state, version, status: 'ended', ended_at: version };
  }
}
