import { invalid } from '../protocol/status.js';
import { type EventLog } from '../storage/event-log.js';
import { matcherOf } from './filter.js';
import { type Page, PageWriter } from './page.js';
import { type ReadRequest } from './requests.js';
import { caughtUp, checkpoint } from './responses.js';

/** The maximum time that one page scans events of which a filter matches few. Other calls wait for it. */
const PAGE_MS = 10;

/**
 * Reads $all. As in EventStoreDB, a forward read includes the event at the given position, and a
 * backward read does not.
 */
export class AllReader {
  private next: number;
  private readonly end: number;
  private readonly step: 1 | -1;
  private readonly matches: (record: Buffer) => boolean;
  private readonly checkpointInterval: number;
  private sinceCheckpoint = 0;

  constructor(
    private readonly log: EventLog,
    private readonly request: ReadRequest,
  ) {
    const { from, backwards, count, filter } = request;
    if (typeof from === 'number' && from > log.durable)
      throw invalid(`${from} is not a position of this log`);
    const isSubscription = count === undefined;
    this.step = backwards ? -1 : 1;
    this.end = isSubscription ? Infinity : backwards ? 1 : log.durable;
    if (from === 'start') this.next = backwards ? 0 : 1;
    else if (from === 'end') this.next = backwards ? log.durable : log.durable + 1;
    else if (backwards) this.next = from - 1;
    else this.next = isSubscription ? from + 1 : Math.max(from, 1);
    this.matches = filter ? matcherOf(filter) : () => true;
    this.checkpointInterval = filter && isSubscription ? filter.checkpointInterval : Infinity;
  }

  page(limit: number): Page {
    const page = new PageWriter(this.log, this.request);
    const end = Math.min(this.end, this.log.durable);
    const isPast = () => (this.step === 1 ? this.next > end : this.next < 1);
    const until = performance.now() + PAGE_MS;
    while (!isPast() && !page.isFull && page.events < limit && performance.now() < until) {
      const isAdded = page.attempt(() => {
        const record = this.log.record(this.next);
        if (this.matches(record)) page.add(record, this.next);
      });
      if (!isAdded) return page.finish(false);
      if (++this.sinceCheckpoint >= this.checkpointInterval) this.addCheckpoint(page);
      this.next += this.step;
    }
    return page.finish(isPast());
  }

  /** Returns the position that a filtered subscription has reached, even if no event matched. */
  caughtUp(): Buffer {
    const isFiltered = this.checkpointInterval !== Infinity && this.next > 1;
    return isFiltered ? Buffer.concat([checkpoint(this.next - 1), caughtUp()]) : caughtUp();
  }

  private addCheckpoint(page: PageWriter): void {
    this.sinceCheckpoint = 0;
    page.addFrame(checkpoint(this.next));
  }
}
