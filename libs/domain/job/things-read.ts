import { isPosition } from '../position.js';
import type { RecordedEvent } from '../recorded-event.js';
import { eventOfType } from '../upcast.js';
import { jobDecider } from './decider.js';
import type { MemoryRead } from './events.js';

/** The event that recorded a read (SPEC J10). */
export interface ReadPlace {
  readonly number: number;
  readonly tick: number;
  readonly kind: MemoryRead['kind'];
  readonly recorded_at: string;
  readonly trace_id: string;
  /** The position of the log at which a search read; null for a read at the job's own snapshots. */
  readonly as_of: string | null;
}

/** Something that a job has read: a fact by its key, or anything else by its id. */
export interface ThingRead {
  readonly id: string;
  readonly times: number;
  readonly last: ReadPlace;
}

/** The most things that are collected. */
const MAX_THINGS = 10_000;

/** Collects what a job has read from its events, in the order of the first reads. */
export class ThingsRead {
  readonly #things = new Map<string, ThingRead>();
  #leftOut = 0;

  /** The things; those beyond the first 10,000 are left out. */
  get all(): readonly ThingRead[] {
    return [...this.#things.values()];
  }

  /** How many reads of further things were left out. */
  get leftOut(): number {
    return this.#leftOut;
  }

  take(event: RecordedEvent): void {
    const read = eventOfType(jobDecider, event, 'memory_read');
    if (read === undefined) return;
    const { number, data, metadata } = read;
    const { tick, kind, ids } = data;
    const { recorded_at, trace_id } = metadata;
    const last = { number, tick, kind, recorded_at, trace_id, as_of: asOf(metadata['as_of']) };
    for (const id of ids) this.#add(id, last);
  }

  #add(id: string, last: ReadPlace): void {
    const known = this.#things.get(id);
    if (known === undefined && this.#things.size === MAX_THINGS) this.#leftOut += 1;
    else this.#things.set(id, { id, times: (known?.times ?? 0) + 1, last });
  }
}

/** True for the key of a fact; no other id has a slash. */
export const isFactId = (id: string): boolean => id.includes('/');

const asOf = (found: unknown): string | null =>
  typeof found === 'string' && isPosition(found) ? found : null;
