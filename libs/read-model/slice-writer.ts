import { fewAtOnce } from '#bounded/few-at-once.js';
import type { DomainEvent } from '#domain/decider.js';
import type { LoggedEvent } from '#event-store/event-store.js';
import { checkpointEvent } from './checkpoint.js';
import type { Slice } from './event-buffer.js';
import { laterOf } from './later-of.js';
import type { Postgres, PostgresTransaction } from './postgres.js';
import { codeOf, isPassing } from './postgres-unavailable.js';
import type { Logged, OpenSealed, Projection } from './projection.js';
import { concerns, upcastLogged } from './upcasting.js';
import { sentInOrder } from './sent-in-order.js';
import { type Filling, liveSchema, moveCheckpoints, OwnershipLost } from './schema-layout.js';

/** Where and why a projection stopped. It contains no value of the event (SPEC P6). */
export interface PoisonEvent {
  readonly position: bigint;
  readonly stream: string;
  readonly number: number;
  readonly type: string;
  readonly reason: string;
}

/** How far one read model has come in the log. */
export interface Track extends Filling {
  position: bigint | undefined;
  /** Every matching event up to this position has arrived. */
  received: bigint | undefined;
  /** The position of the last event for this read model that has arrived. */
  lastOwn: bigint | undefined;
  poison: PoisonEvent | undefined;
}

export const newTrack = (
  projection: Projection,
  schema: string,
  position: bigint | undefined,
): Track => ({
  ...{ projection, schema, position },
  ...{ received: undefined, lastOwn: undefined, poison: undefined },
});

/** True if some events for the read model are not written yet. */
const hasUnwritten = ({ lastOwn, position }: Track): boolean =>
  lastOwn !== undefined && (position === undefined || position < lastOwn);

/**
 * Returns the position up to which the rows show the log. This position is later than the checkpoint if
 * the events after the checkpoint do not concern this read model.
 */
export const shownPosition = (track: Track): bigint | undefined => {
  const { position, received } = track;
  return hasUnwritten(track) ? position : laterOf(position, received);
};

const isBehind = (track: Track, position: bigint): boolean =>
  track.poison === undefined && (track.position === undefined || track.position < position);

/**
 * Writes a slice to every track, with rows and checkpoints of all tracks in one transaction. If a handler fails, the
 * slice is written to each track alone. In the failing track the writer then searches for the poison event: earlier
 * events take effect, this track stops, and the others continue. Temporary failures and `OwnershipLost` are thrown.
 */
export class SliceWriter {
  constructor(
    private readonly postgres: Postgres,
    private readonly onMoved: (tracks: readonly Track[]) => void,
    private readonly onPoison: (track: Track, poison: PoisonEvent) => Promise<void>,
    private readonly open?: OpenSealed,
  ) {}

  async write(tracks: readonly Track[], slice: Slice): Promise<void> {
    const behind = tracks.filter((track) => isBehind(track, slice.position));
    if (behind.length === 0) return;
    const failure = await this.attempt(behind, slice);
    if (failure === undefined) return;
    for (const track of behind) await this.narrow(track, rest(track, slice));
  }

  /** Writes a slice as `write` does, but only to the live tracks of these read models that have events to write. */
  async writeTo(names: ReadonlySet<string>, tracks: readonly Track[], slice: Slice): Promise<void> {
    const requested = tracks.filter((track) => names.has(track.projection.name));
    await this.write(
      requested.filter((track) => isLive(track) && hasUnwritten(track)),
      slice,
    );
  }

  /**
   * Notes that all events up to `position` have arrived. If no arrived event is for a track, the track
   * shows `position` at once; its checkpoint follows with the next slice.
   */
  received(tracks: readonly Track[], events: readonly LoggedEvent[], position: bigint): void {
    for (const track of tracks) {
      const last = events.findLast((event) => concerns(track.projection, event));
      track.lastOwn = laterOf(track.lastOwn, last?.position);
      track.received = position;
    }
    this.onMoved(tracks.filter((track) => !hasUnwritten(track)));
  }

  /** Tries to write a slice. Returns the error of a handler; undefined if the slice was written. */
  private async attempt(tracks: readonly Track[], slice: Slice): Promise<Error | undefined> {
    try {
      const work: Work[] = [];
      for (const track of tracks) {
        const events = await this.opened(track.projection, eventsFor(track, slice));
        if (events.length > 0) work.push({ ...track, events });
      }
      const last = slice.events.at(-1);
      const moving = (tx: PostgresTransaction) =>
        moveCheckpoints(tx, tracks, slice.position, last && checkpointEvent(last));
      await this.postgres.transaction(
        (tx) => sentInOrder(moving(tx), projectAll(tx, work)),
        SETTINGS,
      );
    } catch (cause) {
      const isOther = cause instanceof OwnershipLost || cause instanceof ProjectionFailed;
      if (isOther || isPassing(cause)) throw cause;
      return cause instanceof Error ? cause : new Error(typeof cause);
    }
    for (const track of tracks) track.position = slice.position;
    this.onMoved(tracks);
    return undefined;
  }

  /** Adds the opened values. Keys that cannot be reached stop the projection, and no event is skipped. */
  private async opened(
    { name, opens }: Projection,
    events: readonly LoggedEvent[],
  ): Promise<readonly LoggedEvent[]> {
    const { open } = this;
    if (opens === undefined) return events;
    return fewAtOnce(events, async (event): Promise<Logged<DomainEvent>> => {
      const sealed = opens(event);
      if (sealed === undefined) return event;
      try {
        if (open === undefined) throw new TypeError('the runner cannot open sealed values');
        const found = await open(sealed);
        return 'value' in found ? { ...event, opened: found.value } : event;
      } catch (cause) {
        throw new ProjectionFailed(name, cause);
      }
    });
  }

  /**
   * Writes a slice to one track. If an event of the slice cannot be applied, it stops before this event
   * and returns false.
   */
  private async narrow(track: Track, slice: Slice): Promise<boolean> {
    const failure = await this.attempt([track], slice);
    if (failure === undefined) return true;
    const [only] = slice.events;
    if (only === undefined) throw new ProjectionFailed(track.projection.name, failure);
    if (slice.events.length === 1) {
      const poison = poisonOf(only, failure);
      track.poison = poison;
      await this.onPoison(track, poison);
      return false;
    }
    const middle = slice.events.length >> 1;
    const first = slice.events.slice(0, middle);
    return (
      (await this.narrow(track, { events: first, position: first.at(-1)!.position })) &&
      (await this.narrow(track, { events: slice.events.slice(middle), position: slice.position }))
    );
  }
}

/**
 * Settings that prevent full scans and JIT compilation. Each connection plans a statement once, perhaps while the
 * tables are empty, when a full scan looks cheap; but every statement here finds its rows by a key.
 */
const BY_KEY = [
  'enable_seqscan = off',
  'enable_hashjoin = off',
  'enable_mergejoin = off',
  'jit = off',
];

/**
 * The settings of a transaction. Rows and checkpoint can be rebuilt, so the commit does not wait for the
 * disk; a crash loses both together (`Postgres.onLoss`). The commit of a swap waits for the disk.
 */
const SETTINGS = [...BY_KEY, 'synchronous_commit = off'];

type Work = Filling & { readonly events: readonly LoggedEvent[] };

async function projectAll(tx: PostgresTransaction, work: readonly Work[]): Promise<void> {
  for (const { projection, schema, events } of work)
    await tx.within(schema, (tables) => projection.project(tables, events));
}

export const isLive = ({ projection, schema }: Filling): boolean =>
  schema === liveSchema(projection.name);

/** Returns the part of a slice that a track does not have yet. */
const rest = ({ position }: Track, slice: Slice): Slice => ({
  ...slice,
  events: slice.events.filter((event) => position === undefined || event.position > position),
});

const eventsFor = (track: Track, slice: Slice): readonly LoggedEvent[] =>
  rest(track, slice)
    .events.filter((event) => concerns(track.projection, event))
    .map((event) => {
      if (event.isBroken) throw new BrokenHashChain();
      return upcastLogged(event);
    });

/** Thrown for an event that does not follow the previous event of its stream (SPEC I6). */
class BrokenHashChain extends Error {
  override readonly name = 'BrokenHashChain';
}

/** A failure of one projection that no event explains, such as tables that cannot be made. */
export class ProjectionFailed extends Error {
  override readonly name = 'ProjectionFailed';

  constructor(
    readonly projection: string,
    override readonly cause: unknown,
  ) {
    super(`the projection ${projection} failed`, { cause });
  }
}

function poisonOf(event: LoggedEvent, failure: Error): PoisonEvent {
  const { position, stream, number, type } = event;
  return { position, stream, number, type, reason: reasonOf(failure) };
}

/** Describes a failure without its message, which may quote values (SPEC P6). */
export function reasonOf(failure: unknown): string {
  if (!(failure instanceof Error)) return typeof failure;
  const frame = /^[ \t]+(at .+)$/m.exec(failure.stack?.replace(failure.message, '') ?? '')?.[1];
  return [failure.name, codeOf(failure), frame].filter((part) => part !== undefined).join(' ');
}
