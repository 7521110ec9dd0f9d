import { type StreamRow } from './database.js';
import { describedBy, type StreamRules } from './stream-metadata.js';

/** An event that is not in the database yet. */
export interface TailEntry {
  readonly position: number;
  readonly stream: StreamState;
  readonly number: number;
  readonly record: Buffer;
  /** The stream rows to store together with this event. */
  readonly rows: readonly StreamRow[];
}

/** Of a stream that holds metadata, only the newest event can be read, as in EventStoreDB. */
const RULES_OF_METADATA: StreamRules = { keptFrom: 0, maxCount: 1, maxAge: Infinity };
const NO_RULES: StreamRules = { keptFrom: 0, maxCount: Infinity, maxAge: Infinity };

/** The state of a stream that the node keeps in memory. */
export class StreamState {
  tombstoned = false;
  /** The position of the tombstone; undefined if it was written before the state was loaded. */
  tombstonedAt: number | undefined;
  /** The position of the last event that changed the stream's row since the state was loaded. */
  rowChangedAt = 0;
  /** The events that are not in the database yet, oldest first. */
  tail: TailEntry[] = [];
  private currentRules: StreamRules;

  constructor(
    /** The name of the stream; each character of this string stands for one byte of the UTF-8 name. */
    readonly name: string,
    readonly id: number,
    /** The number of the last event; -1 without events. */
    public last: number,
  ) {
    this.currentRules = describedBy(name) === undefined ? NO_RULES : RULES_OF_METADATA;
  }

  get rules(): StreamRules {
    return this.currentRules;
  }

  /** Metadata of a stream that itself holds metadata has no effect. */
  set rules(rules: StreamRules) {
    if (describedBy(this.name) === undefined) this.currentRules = rules;
  }

  get isDeleted(): boolean {
    return this.rules.keptFrom === Infinity;
  }

  toRow(): StreamRow {
    const { name, id, tombstoned } = this;
    return { name, id, tombstoned, ...this.rules };
  }
}
