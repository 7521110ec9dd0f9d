/** Where an event is: its stream and its number. */
export interface EventPlace {
  readonly stream: string;
  readonly number: number;
}

const GENERATION = 32_768;

/**
 * The ids of the latest events. They make an append without an expected revision idempotent. Like
 * EventStoreDB, the node remembers a limited number of ids.
 */
export class RecentIds {
  static readonly capacity = GENERATION;
  private young = new Map<string, EventPlace>();
  private old = new Map<string, EventPlace>();

  add(id: string, place: EventPlace): void {
    this.young.set(id, place);
    if (this.young.size < GENERATION) return;
    this.old = this.young;
    this.young = new Map();
  }

  get(id: string): EventPlace | undefined {
    return this.young.get(id) ?? this.old.get(id);
  }
}
