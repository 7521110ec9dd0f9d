import { type StreamRow } from './database.js';

/** An event that is not in the database yet. */
export interface TailEntry {
  readonly position: number;
  readonly stream: StreamState;
  readonly number: number;
  readonly record: Buffer;
  /** The stream rows to store together with this event. */
  readonly rows: readonly StreamRow[];
}

/** The state of a stream that the node keeps in memory. */
export class StreamState {
  tombstoned = false;
  /** The first readable number; infinite if the stream was deleted. */
  keptFrom = 0;
  maxCount = Infinity;
  /** The events that are not in the database yet, oldest first. */
  tail: TailEntry[] = [];

  constructor(
    /** Each character is one byte of the name. */
    readonly name: string,
    readonly id: number,
    /** The number of the last event; -1 if there is none. */
    public last: number,
  ) {}

  get isDeleted(): boolean {
    return this.keptFrom === Infinity;
  }

  /** The row for the database. */
  toRow(): StreamRow {
    const { name, id, tombstoned, keptFrom, maxCount } = this;
    return { name, id, tombstoned, keptFrom, maxCount };
  }
}
