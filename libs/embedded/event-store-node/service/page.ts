import type { EventLog } from '../storage/event-log.js';
import { frameSize, recordedDataIn, typeIn, writeFrame } from '../storage/record.js';
import { problemOfStreamName, type ReadRequest } from './requests.js';
import { resolvedLink } from './responses.js';

/** The type of an event whose data, such as `7@order-1`, names another event. */
const LINK_TYPE = Buffer.from('$>');
const TARGET = /^(\d{1,15})@(.+)$/s;

const isLink = (record: Buffer): boolean => typeIn(record).equals(LINK_TYPE);

/**
 * Returns the event that a link names; undefined if the link is malformed, or if a read of the event's
 * stream would not return the event. As in EventStoreDB, a link to a link is not followed.
 */
function linkedRecord(log: EventLog, link: Buffer): Buffer | undefined {
  const [, digits, name] = TARGET.exec(recordedDataIn(link).toString('latin1')) ?? [];
  if (digits === undefined || name === undefined) return undefined;
  if (problemOfStreamName(name) !== undefined || log.isTombstoned(name)) return undefined;
  const state = log.stream(name);
  const last = state ? log.lastNumber(state) : -1;
  const number = Number(digits);
  if (!state || number > last || number < log.firstNumber(state, last)) return undefined;
  return log.recordOf(state, number);
}

/** Some answers of a read, already encoded. */
export interface Page {
  readonly frames: Buffer;
  readonly events: number;
  /** True if the page contains the last event that the read can return now. */
  readonly isAtEnd: boolean;
}

const PAGE_BYTES = 128 * 1024;
const PAGE_EVENTS = 512;

/** Collects records and other answers in one buffer. */
export class PageWriter {
  events = 0;
  size = 0;
  private readonly parts: (Buffer | { record: Buffer; position: number })[] = [];

  constructor(
    private readonly log: EventLog,
    private readonly request: ReadRequest,
  ) {}

  /** Adds the answer to an event, with the event that it links to if the client asked for it. */
  add(record: Buffer, position: number): void {
    this.events++;
    if (this.request.resolvesLinks && isLink(record)) {
      this.addFrame(resolvedLink(record, linkedRecord(this.log, record), position));
      return;
    }
    this.parts.push({ record, position });
    this.size += frameSize(record, position);
  }

  addFrame(frame: Buffer): void {
    this.parts.push(frame);
    this.size += frame.length;
  }

  /**
   * Runs a step that adds an event. If the step fails, the events before it are still sent: returns false, and the
   * next page fails. A page that is empty fails at once.
   */
  attempt(step: () => void): boolean {
    try {
      step();
      return true;
    } catch (error) {
      if (this.size === 0) throw error;
      return false;
    }
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
