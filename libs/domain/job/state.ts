import { wmCounter } from '../determinism/ids.js';
import { seededBase } from '../determinism/seeded-clock.js';
import { Refusal } from '../errors/refusal.js';
import { heldSize, type Held } from '../held.js';
import { evolveQuery, type QueryState } from '../query/state.js';
import type { LogContent } from '../reflective-log/content.js';
import { NO_COUNTERS, withCounter, type CounterSet } from './counter-set.js';
import { type Content, contentOf } from './entry.js';
import type { CarriedItem, JobEvent, JobStarted } from './events.js';
import { NO_EVIDENCE, withRead, type Evidence } from './evidence.js';

/** A working-memory entry (SPEC J2). Its remaining ttl is not stored; `wmTtl` computes it. */
export interface WmEntry {
  readonly wm_id: string;
  readonly counter: number;
  readonly content: Content;
  readonly created_at_tick: number;
  readonly expires_at_tick: number;
  readonly references: number;
  /** The ticks of the entry's last uses, oldest first; at most promotion_references of them. */
  readonly uses: readonly number[];
  /** The id of the CWM item that returned to WM as this entry; undefined for other entries (SPEC J5). */
  readonly returned_from: string | undefined;
}

/** An item of the consolidated working memory (SPEC J4, J5). */
export interface CwmItem {
  readonly item_id: string;
  readonly content: Content;
  readonly token_estimate: number;
  /** The number of references, which starts with those of the WM entry. */
  readonly references: number;
  /** The tick at which the item expires. The first use after each tick postpones the expiry by one tick. */
  readonly expires_at_tick: number;
  /** The tick of the item's last use; `uses_since_tick` counts the uses during that tick. */
  readonly used_at_tick: number;
  readonly uses_since_tick: number;
}

/** An entry or item that left memory although the agent did not drop it. */
export interface ExpiredEntry {
  /** Its wm_id or, if it was promoted, its item_id. */
  readonly id: string;
  readonly content: Content;
}

/** The most entries that the answer to an end shows of a list. */
export const SHOWN_ENTRIES = 20;

/** The entries and items that expired, or that left the CWM over its budget. */
export interface Expired {
  readonly count: number;
  /** The last of them, oldest first; at most SHOWN_ENTRIES. */
  readonly last: readonly ExpiredEntry[];
}

/** The folded state of a job's stream. Immutable: every change makes new objects. */
export interface JobState {
  readonly stream: string;
  readonly status: 'none' | 'running' | 'ended';
  /** The number of the event `job_ended`; undefined before that event. */
  readonly ended_at: number | undefined;
  /** The number of the stream's last event; -1 before the first one. */
  readonly version: number;
  /** The first event's data; undefined only while `status` is `none`. */
  readonly started: JobStarted | undefined;
  /** The start of the job's seeded time, in milliseconds since 1970 (SPEC I3). */
  readonly seeded_base: number;
  readonly tick: number;
  /** The job's goal; without one of its own, the last of its session, else ''. */
  readonly topic: string;
  /** The entries in WM, oldest first, which is the order of their counters. */
  readonly wm: readonly WmEntry[];
  readonly wm_counter: number;
  /** The counters of all wm_ids ever promoted, to refuse a second promotion (SPEC J4). */
  readonly promoted: CounterSet;
  /** The items in the CWM in order of insertion, carried items first. */
  readonly cwm: readonly CwmItem[];
  /** The estimated tokens of all CWM items together (SPEC J5). */
  readonly token_estimate: number;
  readonly expired: Expired;
  readonly episode_counter: number;
  /**
   * How many `episode_consolidated` events the end has written; `summarised` is true once the summary is
   * written (SPEC J7).
   */
  readonly consolidated: number;
  readonly summarised: boolean;
  /** The reads on which the job based its decisions (SPEC J10). */
  readonly evidence: Evidence;
  /** The log that the runtime sent with the end, if any (SPEC L7). */
  readonly handed_log: LogContent | undefined;
  /** The state of the query, if the job runs a query (SPEC A4). */
  readonly query: QueryState | undefined;
}

/** True if the job takes no command any more (SPEC J7). */
export const hasEnded = ({ status }: JobState): boolean => status === 'ended';

export const initialJob = (stream: string): JobState => ({
  stream,
  status: 'none',
  ended_at: undefined,
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
  expired: { count: 0, last: [] },
  episode_counter: 0,
  consolidated: 0,
  summarised: false,
  evidence: NO_EVIDENCE,
  handed_log: undefined,
  query: undefined,
});

/** Returns ceil(UTF-8 bytes of JCS(value) / 4) (SPEC J5). */
export const tokenEstimate = (held: Held): number => Math.ceil(heldSize(held) / 4);

/** Returns the remaining ttl of an entry in ticks. Every tick after its creation takes one away (SPEC J3). */
export const wmTtl = (entry: WmEntry, tick: number): number => entry.expires_at_tick - tick;

export const wasUsedSince = (item: CwmItem, tick: number): boolean =>
  item.used_at_tick === tick && item.uses_since_tick > 0;

/**
 * Returns the remaining ttl of an item in ticks. If a use postpones the expiry by one tick, the result
 * includes that extra tick only from the next tick on (SPEC J3).
 */
export const cwmTtl = (item: CwmItem, tick: number): number =>
  item.expires_at_tick - tick - (wasUsedSince(item, tick) ? 1 : 0);

/** Returns the index in `wm` of the entry with this id, or -1. */
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

/** Returns the index in `cwm` of the item with this id, or -1. */
export const cwmIndex = (cwm: readonly CwmItem[], id: string): number =>
  cwm.findIndex((item) => item.item_id === id);

const integrityFailure = (state: JobState, reason: string): Refusal =>
  new Refusal('INTEGRITY_FAILURE', { stream: state.stream, number: state.version, reason });

function entryAt(state: JobState, id: string): [WmEntry, number] {
  const index = wmIndex(state.wm, id);
  const entry = state.wm[index];
  if (entry === undefined) throw integrityFailure(state, 'it names an entry that is not in WM');
  return [entry, index];
}

function itemAt(state: JobState, id: string): [CwmItem, number] {
  const index = cwmIndex(state.cwm, id);
  const item = state.cwm[index];
  if (item === undefined) throw integrityFailure(state, 'it names an item that is not in CWM');
  return [item, index];
}

/** Returns the data of `job_started`. @throws Refusal INTEGRITY_FAILURE if the job has not started. */
export function startedJob(state: JobState): JobStarted {
  if (state.started === undefined) throw integrityFailure(state, 'it stands before the start');
  return state.started;
}

/** A mutable copy of the state, used only inside one `evolveJob`. */
type Draft = { -readonly [Key in keyof JobState]: JobState[Key] };

/**
 * Returns a copy with the next version. It copies field by field, because V8 takes fifty times as long
 * to spread the state.
 */
const nextOf = (state: JobState): Draft => ({
  stream: state.stream,
  status: state.status,
  ended_at: state.ended_at,
  version: state.version + 1,
  started: state.started,
  seeded_base: state.seeded_base,
  tick: state.tick,
  topic: state.topic,
  wm: state.wm,
  wm_counter: state.wm_counter,
  promoted: state.promoted,
  cwm: state.cwm,
  token_estimate: state.token_estimate,
  expired: state.expired,
  episode_counter: state.episode_counter,
  consolidated: state.consolidated,
  summarised: state.summarised,
  evidence: state.evidence,
  handed_log: state.handed_log,
  query: state.query,
});

const cwmItemOf = (item: CarriedItem): CwmItem => ({
  item_id: item.item_id,
  content: contentOf(item),
  token_estimate: tokenEstimate(item),
  references: item.references,
  expires_at_tick: item.ttl_ticks,
  used_at_tick: -1,
  uses_since_tick: 0,
});

function start(next: Draft, data: JobStarted): void {
  next.status = 'running';
  next.started = data;
  next.seeded_base = seededBase(data.job_seed, data.seeded_epoch ?? undefined);
  next.topic = data.goal ?? data.carried_cwm?.topic ?? '';
  next.cwm = (data.carried_cwm?.items ?? []).map(cwmItemOf);
  next.token_estimate = next.cwm.reduce((sum, item) => sum + item.token_estimate, 0);
}

function enterWm(next: Draft, entry: Omit<WmEntry, 'counter' | 'references' | 'uses'>): void {
  const counter = wmCounter(entry.wm_id);
  // V8 takes three times as long to spread a long array as `toSpliced` takes to copy it.
  next.wm = next.wm.toSpliced(next.wm.length, 0, {
    wm_id: entry.wm_id,
    counter,
    content: entry.content,
    created_at_tick: entry.created_at_tick,
    expires_at_tick: entry.expires_at_tick,
    references: 0,
    uses: [],
    returned_from: entry.returned_from,
  });
  next.wm_counter = counter;
}

function leaveWm(next: Draft, wmId: string): WmEntry {
  const [entry, index] = entryAt(next, wmId);
  next.wm = next.wm.toSpliced(index, 1);
  return entry;
}

function referenceWm(next: Draft, wmId: string, tick: number): void {
  const [entry, index] = entryAt(next, wmId);
  const uses = [...entry.uses, tick];
  if (uses.length > startedJob(next).constants.promotion_references) uses.shift();
  next.wm = next.wm.with(index, {
    wm_id: entry.wm_id,
    counter: entry.counter,
    content: entry.content,
    created_at_tick: entry.created_at_tick,
    expires_at_tick: entry.expires_at_tick,
    references: entry.references + 1,
    uses,
    returned_from: entry.returned_from,
  });
}

function enterCwm(next: Draft, entry: WmEntry, item_id: string, tick: number): void {
  const token_estimate = tokenEstimate(entry.content);
  const item: CwmItem = {
    item_id,
    content: entry.content,
    token_estimate,
    references: entry.references,
    expires_at_tick: tick + startedJob(next).constants.cwm_ttl_ticks,
    used_at_tick: -1,
    uses_since_tick: 0,
  };
  next.cwm = [...next.cwm, item];
  next.token_estimate += token_estimate;
  next.promoted = withCounter(next.promoted, entry.counter);
}

function leaveCwm(next: Draft, itemId: string): CwmItem {
  const [item, index] = itemAt(next, itemId);
  next.cwm = next.cwm.toSpliced(index, 1);
  next.token_estimate -= item.token_estimate;
  return item;
}

/** Returns what has expired, with further entries. */
export const withExpired = (
  { count, last }: Expired,
  entries: readonly ExpiredEntry[],
): Expired => ({
  count: count + entries.length,
  last: [...last, ...entries].slice(-SHOWN_ENTRIES),
});

function expire(next: Draft, id: string, { content }: WmEntry | CwmItem): void {
  next.expired = withExpired(next.expired, [{ id, content }]);
}

function referenceCwm(next: Draft, itemId: string, tick: number): void {
  const [item, index] = itemAt(next, itemId);
  const again = item.used_at_tick === tick;
  next.cwm = next.cwm.with(index, {
    item_id: item.item_id,
    content: item.content,
    token_estimate: item.token_estimate,
    references: item.references + 1,
    expires_at_tick: item.expires_at_tick + (again ? 0 : 1),
    used_at_tick: tick,
    uses_since_tick: again ? item.uses_since_tick + 1 : 1,
  });
}

function ageCwm(next: Draft, itemId: string): void {
  const [item, index] = itemAt(next, itemId);
  next.cwm = next.cwm.with(index, { ...item, expires_at_tick: item.expires_at_tick - 1 });
}

/** Folds one event. The cost does not grow with the length of the stream. */
export function evolveJob(state: JobState, event: JobEvent): JobState {
  const next = nextOf(state);
  switch (event.type) {
    case 'job_started':
      start(next, event.data);
      break;
    case 'wm_inserted': {
      const { wm_id, created_at_tick, ttl_ticks } = event.data;
      const content = contentOf(event.data);
      const expires_at_tick = created_at_tick + ttl_ticks;
      const returned_from = undefined;
      enterWm(next, { wm_id, content, created_at_tick, expires_at_tick, returned_from });
      break;
    }
    case 'wm_referenced':
      referenceWm(next, event.data.wm_id, event.data.tick);
      break;
    case 'cwm_referenced':
      referenceCwm(next, event.data.item_id, event.data.tick);
      break;
    case 'ticked':
      next.tick = event.data.tick;
      break;
    case 'promotion_event': {
      const { wm_id, item_id, tick } = event.data;
      enterCwm(next, leaveWm(next, wm_id), item_id, tick);
      break;
    }
    case 'cwm_returned': {
      const { item_id, wm_id, ttl_ticks, tick } = event.data;
      const { content } = leaveCwm(next, item_id);
      const expires_at_tick = tick + ttl_ticks;
      const returned_from = item_id;
      enterWm(next, { wm_id, content, created_at_tick: tick, expires_at_tick, returned_from });
      break;
    }
    case 'wm_expired':
      expire(next, event.data.wm_id, leaveWm(next, event.data.wm_id));
      break;
    case 'wm_forgotten':
      leaveWm(next, event.data.wm_id);
      break;
    case 'cwm_expired':
    case 'cwm_evicted':
      expire(next, event.data.item_id, leaveCwm(next, event.data.item_id));
      break;
    case 'cwm_forgotten':
      leaveCwm(next, event.data.item_id);
      break;
    case 'goal_set':
      next.topic = event.data.goal;
      break;
    case 'cwm_aged':
      ageCwm(next, event.data.item_id);
      break;
    case 'episode_written':
      next.episode_counter += 1;
      break;
    case 'episode_consolidated':
      next.episode_counter += 1;
      next.consolidated += 1;
      break;
    case 'episodic_summary':
      next.episode_counter += 1;
      next.summarised = true;
      break;
    case 'memory_read':
      next.evidence = withRead(next.evidence, event.data, next.version);
      break;
    case 'pii_redacted':
      break;
    case 'job_ended':
      next.status = 'ended';
      next.ended_at = next.version;
      next.handed_log = event.data.reflective_log;
      break;
    default:
      next.query = evolveQuery(next.query, event, next.version);
  }
  return next;
}
