import { canonicalJson, canonicalSize } from '#domain/determinism/canonical-json.js';
import {
  AmbiguousAppend,
  type EventStore,
  EventStoreUnavailable,
  type LoggedEvent,
  RevisionConflict,
} from '#event-store/event-store.js';
import { wholeLog } from '#event-store/whole-log.js';
import { CommandFailure, EXIT } from '../exit-code.js';

/** The maximum number of events in one append. */
const MAX_EVENTS = 500;
const MAX_BYTES = 800 * 1024;
const TRIES = 5;
const BETWEEN_TRIES_MS = 500;

export interface CopyReport {
  /** The number of events in the source, all of which are now in the target. */
  readonly events: number;
  /** The number of events that the target had before the copy. */
  readonly already_there: number;
  readonly streams: number;
}

export interface CopyProgress {
  readonly onCopied: (events: number) => void;
  readonly onVerified: (events: number) => void;
}

/**
 * Copies a log event by event, in log order, with the same ids and numbers, so streams, hash chains and
 * pinned snapshots stay valid. It skips events that the target already has, so a second run continues an
 * interrupted copy. At the end it reads both logs and compares them.
 */
export async function copyLog(
  from: EventStore,
  to: EventStore,
  { onCopied, onVerified }: CopyProgress,
): Promise<CopyReport> {
  const end = await from.lastPosition();
  const target = new Target(to);
  let events = 0;
  for await (const page of wholeLog(from, end)) {
    for (const group of appendable(page)) await target.take(group);
    events += page.length;
    onCopied(page.length);
  }
  await compare(wholeLog(from, end), wholeLog(to, await to.lastPosition()), onVerified);
  return { events, already_there: target.passedOver, streams: target.streams };
}

/** The target log, and the last event number of each of its streams. */
class Target {
  readonly #lastOf = new Map<string, number>();
  passedOver = 0;

  constructor(private readonly store: EventStore) {}

  get streams(): number {
    return this.#lastOf.size;
  }

  /** Appends events of one stream, in order. */
  async take(events: readonly LoggedEvent[]): Promise<void> {
    const { stream } = events[0]!;
    const last = this.#lastOf.get(stream) ?? (await this.store.lastOf(stream))?.number ?? -1;
    const missing = events.filter(({ number }) => number > last);
    this.passedOver += events.length - missing.length;
    if (missing.length > 0) await this.#append(stream, last, missing);
    this.#lastOf.set(stream, missing.at(-1)?.number ?? last);
  }

  async #append(stream: string, last: number, events: readonly LoggedEvent[]): Promise<void> {
    if (events[0]!.number !== last + 1)
      throw differs(
        `${stream} in the target ends at event ${last}, and what follows is not in the source`,
      );
    for (let attempt = 1; ; attempt += 1) {
      try {
        await this.store.append(stream, last === -1 ? 'no_stream' : last, events);
        return;
      } catch (error) {
        if (error instanceof RevisionConflict)
          throw differs(`somebody else writes to ${stream} in the target`);
        // The retry has the same ids at the same numbers. If the first append did succeed, the target
        // acknowledges it again.
        const passing = error instanceof AmbiguousAppend || error instanceof EventStoreUnavailable;
        if (!passing || attempt >= TRIES) throw error;
        await new Promise((resolve) => setTimeout(resolve, BETWEEN_TRIES_MS * attempt));
      }
    }
  }
}

const differs = (what: string): CommandFailure =>
  new CommandFailure(EXIT.broken, `The logs differ: ${what}.`);

/** Groups neighbouring events of the same stream, as many as fit into one append. */
function* appendable(page: readonly LoggedEvent[]): Generator<LoggedEvent[]> {
  let group: LoggedEvent[] = [];
  let bytes = 0;
  for (const event of page) {
    const size = canonicalSize(event.data) + canonicalSize(event.metadata);
    const fits = group.length < MAX_EVENTS && bytes + size <= MAX_BYTES;
    if (group.length > 0 && (group[0]!.stream !== event.stream || !fits)) {
      yield group;
      group = [];
      bytes = 0;
    }
    group.push(event);
    bytes += size;
  }
  if (group.length > 0) yield group;
}

type Pages = AsyncIterable<readonly LoggedEvent[]>;

async function* eventsOf(pages: Pages): AsyncGenerator<LoggedEvent> {
  for await (const page of pages) yield* page;
}

/** Returns all parts of an event except its position, which each server assigns itself. */
const contentOf = ({ stream, number, id, type, data, metadata }: LoggedEvent): string =>
  canonicalJson({ stream, number, id, type, data, metadata });

async function compare(
  source: Pages,
  target: Pages,
  onVerified: (events: number) => void,
): Promise<void> {
  const copies = eventsOf(target);
  try {
    for await (const event of eventsOf(source)) {
      const copy = await copies.next();
      const where = `event ${event.number} of ${event.stream}`;
      if (copy.done === true) throw differs(`${where} is missing in the target`);
      if (contentOf(copy.value) !== contentOf(event))
        throw differs(
          `where the source has ${where}, the target has event ${copy.value.number} of ${copy.value.stream}`,
        );
      onVerified(1);
    }
    const more = await copies.next();
    if (more.done !== true)
      throw differs(
        `the target has event ${more.value.number} of ${more.value.stream} beyond them`,
      );
  } finally {
    await copies.return(undefined);
  }
}
