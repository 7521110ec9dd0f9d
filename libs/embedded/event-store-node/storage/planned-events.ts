import { encodeRecord, type ProposedEvent, type RecordPlace } from './record.js';
import { type StreamRules } from './stream-metadata.js';
import { type StreamState } from './stream-state.js';

/** An event that has its place in the log and is not admitted yet. */
export interface PlannedEvent {
  readonly stream: StreamState;
  /** The number of the event; infinite for a tombstone. */
  readonly number: number;
  readonly position: number;
  readonly record: Buffer;
  /** The stream whose rules the event sets. */
  readonly ruled: { readonly stream: StreamState; readonly rules: StreamRules } | undefined;
}

/**
 * The events of one write. They are made completely before the first of them changes a stream, so a write
 * that fails changes nothing.
 */
export class PlannedEvents {
  readonly events: PlannedEvent[] = [];

  constructor(
    private readonly firstPosition: number,
    /** The seed of the node's checksums. */
    private readonly seed: number,
    private readonly ruledBy: (stream: StreamState, data: Buffer) => PlannedEvent['ruled'],
  ) {}

  add(stream: StreamState, event: ProposedEvent): void {
    const place = this.place(stream);
    const ruled = this.ruledBy(stream, event.data);
    const { number, position } = place;
    const record = encodeRecord(event, place, { seed: this.seed });
    this.events.push({ stream, number, position, record, ruled });
  }

  addTombstone(stream: StreamState, event: ProposedEvent): void {
    const place = this.place(stream);
    const record = encodeRecord(event, place, { seed: this.seed, tombstone: true });
    const { position } = place;
    this.events.push({ stream, number: Infinity, position, record, ruled: undefined });
  }

  /** Returns the number of the stream's last event after this write. */
  lastNumber(stream: StreamState): number {
    return this.newest(stream)?.number ?? stream.last;
  }

  /** Returns the last event that this write adds to the stream. */
  newest(stream: StreamState): PlannedEvent | undefined {
    return this.events.findLast((event) => event.stream === stream);
  }

  /** The position of the last event in the log after this write. */
  get lastPosition(): number {
    return this.firstPosition + this.events.length - 1;
  }

  private place(stream: StreamState): RecordPlace {
    const name = Buffer.from(stream.name, 'latin1');
    return { name, number: this.lastNumber(stream) + 1, position: this.lastPosition + 1 };
  }
}
