import { canonicalJson } from '#domain/determinism/canonical-json.js';
import { CHAIN_START, chainHash } from '#domain/determinism/hash-chain.js';
import { eventId } from '#domain/determinism/ids.js';
import type { RecordedEvent } from '#domain/recorded-event.js';

/** The first line of a bundle (SPEC X4). */
export interface BundleHead {
  readonly stream: string;
  readonly event_count: number;
  readonly head_hash: string;
}

/** What is known of a bundle without asking anybody. */
export type Verification =
  | {
      readonly intact: true;
      readonly stream: string;
      readonly events: number;
      readonly head_hash: string;
    }
  | {
      readonly intact: false;
      readonly stream: string | null;
      /** The line of the file, from 1. */
      readonly line: number;
      /** The first event that is not as it was written; null where the bundle's head or end is at fault. */
      readonly event: { readonly number: number; readonly type: string | null } | null;
      readonly problem: string;
    };

class Broken extends Error {
  constructor(
    readonly problem: string,
    readonly event: { number: number; type: string | null } | null = null,
  ) {
    super(problem);
  }
}

/**
 * Reads an exported bundle and recomputes all that it claims: that every line is canonical JSON, that the
 * events are numbered without a gap, that each one's id and hash follow from what it says and from the event
 * before it, and that count and head are those named first (SPEC I6, X4).
 */
export async function verifyBundle(
  lines: AsyncIterable<string> | Iterable<string>,
): Promise<Verification> {
  let line = 0;
  let chain: Chain | undefined;
  try {
    for await (const text of lines) {
      line += 1;
      if (chain === undefined) chain = new Chain(headOf(canonicalObject(text)));
      else chain.take(canonicalObject(text, chain.next));
    }
    if (chain === undefined) throw new Broken('the file is empty');
    line += 1;
    chain.end();
    return { intact: true, ...chain.summary };
  } catch (error) {
    if (!(error instanceof Broken)) throw error;
    const stream = chain?.summary.stream ?? null;
    return { intact: false, stream, line, event: error.event, problem: error.problem };
  }
}

/** Follows a stream's events, each tied to the one before. */
class Chain {
  #events = 0;
  #hash = CHAIN_START;

  constructor(private readonly head: BundleHead) {}

  /** The event that comes next, as far as a line that cannot be read can be called one. */
  get next(): { number: number; type: null } {
    return { number: this.#events, type: null };
  }

  get summary(): { stream: string; events: number; head_hash: string } {
    return { stream: this.head.stream, events: this.#events, head_hash: this.#hash };
  }

  take(line: Fields): void {
    if (!isEvent(line)) throw new Broken('it is not an event', this.next);
    const { number, type, stream, metadata } = line;
    const event = { number, type };
    const { stream: name, event_count: count } = this.head;
    if (number > this.#events)
      throw new Broken(
        `event ${this.#events} is missing before it: deleted, or put elsewhere`,
        event,
      );
    if (number < this.#events)
      throw new Broken(`it stands where event ${this.#events} belongs: inserted, or moved`, event);
    if (number >= count) throw new Broken(`the head names only ${count} events`, event);
    if (stream !== name) throw new Broken(`it belongs to another stream than ${name}`, event);
    if (chainHash(this.#hash, line) !== metadata.hash)
      throw new Broken('its hash does not match what it says: it was changed', event);
    if (metadata.event_id !== eventId(stream, number, type))
      throw new Broken('its id does not follow from its stream, number and type', event);
    this.#hash = metadata.hash;
    this.#events += 1;
  }

  end(): void {
    const { event_count: count, head_hash: hash } = this.head;
    if (this.#events !== count)
      throw new Broken(
        `the head names ${count} events and the file has ${this.#events}: cut off at the end`,
      );
    if (this.#hash !== hash)
      throw new Broken('the head names another last hash than the events have');
  }
}

type Fields = Readonly<Record<string, unknown>>;
const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function canonicalObject(
  text: string,
  event: { number: number; type: string | null } | null = null,
): Fields {
  const value = parsed(text);
  if (!isFields(value)) throw new Broken('the line is not a JSON object', event);
  const named =
    event !== null && typeof value['type'] === 'string' ? { ...event, type: value['type'] } : event;
  if (canonicalJson(value) !== text)
    throw new Broken('the line is not in canonical form: it was written by something else', named);
  return value;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function headOf(line: Fields): BundleHead {
  const { stream, event_count: count, head_hash: hash } = line;
  if (typeof stream !== 'string' || !Number.isSafeInteger(count) || typeof hash !== 'string')
    throw new Broken('the first line does not name stream, event_count and head_hash');
  return { stream, event_count: count as number, head_hash: hash };
}

const isEvent = (line: Fields): line is Fields & RecordedEvent =>
  typeof line['stream'] === 'string' &&
  Number.isSafeInteger(line['number']) &&
  typeof line['type'] === 'string' &&
  isFields(line['data']) &&
  isFields(line['metadata']) &&
  typeof line['metadata']['hash'] === 'string';
