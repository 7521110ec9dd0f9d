import { canonicalJson, canonicalSize } from '#domain/determinism/canonical-json.js';
import {
  AmbiguousAppend,
  DamagedEvent,
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
  /** The events that were left out because they are damaged in the source. */
  readonly damaged: readonly DamagedEvent[];
}

export interface CopyProgress {
  /**
   * Called for each event that is left out because it is damaged in the source. If undefined, a damaged event ends
   * the copy.
   */
  readonly onDamaged: ((event: DamagedEvent) => void) | undefined;
  readonly onCopied: (events: number) => void;
  readonly onVerified: (events: number) => void;
}

/**
 * Copies a log event by event, in log order, with the same ids and numbers, so streams, hash chains and
 * pinned snapshots stay valid. It skips events that the target already has, so a second run continues an
 * interrupted copy. At the end it reads both logs and compares them. In a stream of which a damaged event is left
 * out, the later events have lower numbers than in the source. Fails with `DamagedEvent` for a damaged event
 * that is not left out.
 */
export async function copyLog(
  from: EventStore,
  to: EventStore,
  { onCopied, onVerified, onDamaged }: CopyProgress,
): Promise<CopyReport> {
  const end = await endOf(from, onDamaged !== undefined);
  const target = new Target(to);
  const damaged: DamagedEvent[] = [];
  const leftOut = onDamaged && ((event: DamagedEvent) => (damaged.push(event), onDamaged(event)));
  let events = 0;
  for await (const page of numbered(wholeEvents(from, end, leftOut), onDamaged !== undefined)) {
    for (const group of appendable(page)) await target.take(group);
    events += page.length;
    onCopied(page.length);
  }
  const source = wholeEvents(from, end, onDamaged && (() => undefined));
  const copy = wholeLog(to, await to.lastPosition());
  await compare(numbered(source, onDamaged !== undefined), copy, onVerified);
  return { events, already_there: target.passedOver, streams: target.streams, damaged };
}

/** Returns the position of the last event. The last event itself may be damaged. */
async function endOf(store: EventStore, mayBeDamaged: boolean): Promise<bigint | undefined> {
  try {
    return await store.lastPosition();
  } catch (error) {
    if (mayBeDamaged && error instanceof DamagedEvent) return error.position;
    throw error;
  }
}

/** Yields the log in pages. Without `leaveOut`, fails at the first damaged event. */
async function* wholeEvents(
  store: EventStore,
  end: bigint | undefined,
  leaveOut: ((event: DamagedEvent) => void) | undefined,
): Pages {
  let after: bigint | undefined;
  while (end !== undefined && (after === undefined || after < end)) {
    try {
      yield* wholeLog(store, end, undefined, after);
      return;
    } catch (error) {
      if (!leaveOut || !(error instanceof DamagedEvent)) throw error;
      leaveOut(error);
      after = error.position;
    }
  }
}

/** Numbers the events of each stream again from 0, if some may have been left out. */
async function* numbered(pages: Pages, isAgain: boolean): Pages {
  const next = new Map<string, number>();
  for await (const page of pages) {
    if (!isAgain) {
      yield page;
      continue;
    }
    yield page.map((event) => {
      const number = next.get(event.stream) ?? 0;
      next.set(event.stream, number + 1);
      return { ...event, number };
    });
  }
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

type Pages = AsyncGenerator<readonly LoggedEvent[]>;

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
