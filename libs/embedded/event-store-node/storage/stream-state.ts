import { type StreamRow } from './database.js';

/** An event that is not in the database yet. */
export interface TailEntry {
  readonly position: number;
  readonly stream: StreamState;
  readonly number: number;
  readonly record: Buffer;
  /** What is stored of streams once this event is. */
  readonly rows: readonly StreamRow[];
}

/** What the node knows of a stream without reading its events. */
export class StreamState {
  tombstoned = false;
  /** Events before this number are not read any more; infinite when the stream was deleted. */
  keptFrom = 0;
  maxCount = Infinity;
  /** Its events that are not in the database yet, oldest first. */
  tail: TailEntry[] = [];

  constructor(
    /** Each character is one byte of the name. */
    readonly name: string,
    readonly id: number,
    /** The number of its last event, -1 when it has none. */
    public last: number,
  ) {}

  get isDeleted(): boolean {
    return this.keptFrom === Infinity;
  }

  /** The row as the database keeps it. */
  toRow(): StreamRow {
    const { name, id, tombstoned, keptFrom, maxCount } = this;
    return { name, id, tombstoned, keptFrom, maxCount };
  }
}
