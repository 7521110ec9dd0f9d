import { type EventLog } from '../storage/event-log.js';
import { type Run } from '../storage/database.js';
import { frameSize, nameIn, typeIn, writeFrame } from '../storage/record.js';
import { type ReadFilter, type ReadRequest } from './requests.js';
import { caughtUp, checkpoint } from './responses.js';

/** Some encoded answers of a read. */
export interface Page {
  readonly frames: Buffer;
  readonly events: number;
  /** Whether the page contains the last event that the read can return now. */
  readonly isAtEnd: boolean;
}

const PAGE_BYTES = 128 * 1024;
const PAGE_EVENTS = 512;
/** The most events to scan in one page if a filter matches few of them. */
const PAGE_SCANNED = 8_192;
const RUNS_AT_ONCE = 256;

/** Collects records and other answers in one buffer. */
class PageWriter {
  events = 0;
  size = 0;
  private readonly parts: (Buffer | { record: Buffer; position: number })[] = [];

  add(record: Buffer, position: number): void {
    this.parts.push({ record, position });
    this.size += frameSize(record, position);
    this.events++;
  }

  addFrame(frame: Buffer): void {
    this.parts.push(frame);
    this.size += frame.length;
  }

  get isFull(): boolean {
    return this.events >= PAGE_EVENTS || this.size >= PAGE_BYTES;
  }

  finish(isAtEnd: boolean): Page {
    const frames = Buffer.allocUnsafe(this.size);
    let at = 0;
    for (const part of this.parts) {
      at = Buffer.isBuffer(part)
        ? at + part.copy(frames, at)
        : writeFrame(frames, at, part.record, part.position);
    }
    return { frames, events: this.events, isAtEnd };
  }
}

/** Reads $all. As in EventStoreDB, only a forward read includes the event at the given position. */
export class AllReader {
  private next: number;
  private readonly end: number;
  private readonly step: 1 | -1;
  private readonly matches: (record: Buffer) => boolean;
  private readonly checkpointInterval: number;
  private sinceCheckpoint = 0;

  constructor(
    private readonly log: EventLog,
    { from, backwards, count, filter }: ReadRequest,
  ) {
    const isSubscription = count === undefined;
    this.step = backwards ? -1 : 1;
    this.end = isSubscription ? Infinity : backwards ? 1 : log.durable;
    if (from === 'start') this.next = backwards ? 0 : 1;
    else if (from === 'end') this.next = backwards ? log.durable : log.durable + 1;
    else if (backwards) this.next = Math.min(from - 1, log.durable);
    else this.next = isSubscription ? from + 1 : Math.max(from, 1);
    this.matches = filter ? matcherOf(filter) : () => true;
    this.checkpointInterval = filter && isSubscription ? filter.checkpointInterval : Infinity;
  }

  page(limit: number): Page {
    const page = new PageWriter();
    const end = Math.min(this.end, this.log.durable);
    const isPast = () => (this.step === 1 ? this.next > end : this.next < 1);
    for (let scanned = 0; !isPast() && scanned < PAGE_SCANNED; scanned++) {
      if (page.isFull || page.events >= limit) break;
      const record = this.log.record(this.next);
      if (this.matches(record)) page.add(record, this.next);
      if (++this.sinceCheckpoint >= this.checkpointInterval) this.addCheckpoint(page);
      this.next += this.step;
    }
    return page.finish(isPast());
  }

  /** Reports the position of a filtered subscription, even if no event matched. */
  caughtUp(): Buffer {
    const isFiltered = this.checkpointInterval !== Infinity && this.next > 1;
    return isFiltered ? Buffer.concat([checkpoint(this.next - 1), caughtUp()]) : caughtUp();
  }

  private addCheckpoint(page: PageWriter): void {
    this.sinceCheckpoint = 0;
    page.addFrame(checkpoint(this.next));
  }
}

function matcherOf({ on, regex, prefixes }: ReadFilter): (record: Buffer) => boolean {
  const textIn = on === 'stream' ? nameIn : typeIn;
  if (prefixes.length > 0) {
    return (record) => {
      const text = textIn(record).toString('latin1');
      return prefixes.some((prefix) => text.startsWith(prefix));
    };
  }
  const pattern = new RegExp(regex, 'u');
  return (record) => pattern.test(textIn(record).toString('utf8'));
}

/** Reads one stream. A read includes the event with the given number; a subscription starts after it. */
export class StreamReader {
  private next: number;
  private runs: readonly Run[] = [];
  private runIndex = 0;
  private readonly name: string;
  private readonly backwards: boolean;
  private readonly end: number;

  constructor(
    private readonly log: EventLog,
    { stream, from, backwards, count }: ReadRequest,
  ) {
    this.name = stream!;
    this.backwards = backwards;
    const last = this.last();
    const isSubscription = count === undefined;
    this.end = isSubscription ? Infinity : last;
    if (from === 'start') this.next = 0;
    else if (from === 'end') this.next = backwards ? last : last + 1;
    else this.next = backwards ? Math.min(from, last) : isSubscription ? from + 1 : from;
  }

  page(limit: number): Page {
    const page = new PageWriter();
    const state = this.log.stream(this.name);
    if (!state) return page.finish(true);
    const last = Math.min(this.end, this.log.lastNumber(state));
    const first = Math.max(state.keptFrom, last + 1 - state.maxCount, 0);
    if (!this.backwards && first <= last) this.next = Math.max(this.next, first);
    const isPast = () => (this.backwards ? this.next < first : this.next > last);
    while (!isPast() && !page.isFull && page.events < limit) {
      const position = this.positionOfNext(state);
      page.add(this.log.record(position), position);
      this.next += this.backwards ? -1 : 1;
    }
    return page.finish(isPast());
  }

  caughtUp(): Buffer {
    return caughtUp();
  }

  private last(): number {
    const state = this.log.stream(this.name);
    return state ? this.log.lastNumber(state) : -1;
  }

  private positionOfNext(state: Parameters<EventLog['runsFrom']>[0]): number {
    const holds = (run: Run | undefined) =>
      run && this.next >= run.number && this.next < run.number + run.count;
    if (!holds(this.runs[this.runIndex])) this.runIndex++;
    if (!holds(this.runs[this.runIndex])) {
      this.runs = this.log.runsFrom(state, this.next, RUNS_AT_ONCE, this.backwards);
      this.runIndex = 0;
    }
    const run = this.runs[this.runIndex]!;
    if (!holds(run)) throw new Error(`Event ${this.next} of a stream is missing`);
    return run.position + this.next - run.number;
  }
}
