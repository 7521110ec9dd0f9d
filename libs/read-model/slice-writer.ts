import type { LoggedEvent } from '#event-store/event-store.js';
import type { Slice } from './event-buffer.js';
import type { Audience } from './feed.js';
import type { Postgres } from './postgres.js';
import { codeOf, isPassing } from './postgres-unavailable.js';
import type { Projection, ProjectionTransaction } from './projection.js';
import { categoryOf, upcastLogged } from './upcasting.js';
import { type Filling, liveSchema, moveCheckpoints, OwnershipLost } from './schema-layout.js';

/** Where and why a projection stopped. Holds no value of the event (SPEC P6). */
export interface PoisonEvent {
  readonly position: bigint;
  readonly stream: string;
  readonly number: number;
  readonly type: string;
  readonly reason: string;
}

/** One read model on its way through the log. */
export interface Track extends Filling {
  position: bigint | undefined;
  poison: PoisonEvent | undefined;
}

export const newTrack = (
  projection: Projection,
  schema: string,
  position: bigint | undefined,
): Track => ({ projection, schema, position, poison: undefined });

const isBehind = (track: Track, position: bigint): boolean =>
  track.poison === undefined && (track.position === undefined || track.position < position);

/**
 * Takes every track over a slice: rows and checkpoints in one transaction for all of them, or in two when
 * somebody waits for some of them, which then come first. When a handler fails, each track is taken over
 * it alone, and the failing one is narrowed down to its poison event: everything before takes effect, the
 * track stops there, the others go on.
 * Failures that pass by themselves, and `OwnershipLost`, are thrown.
 */
export class SliceWriter {
  constructor(
    private readonly postgres: Postgres,
    private readonly onMoved: (tracks: readonly Track[]) => void,
    private readonly onPoison: (track: Track, poison: PoisonEvent) => Promise<void>,
    private readonly audience?: Audience,
  ) {}

  async write(tracks: readonly Track[], slice: Slice): Promise<void> {
    await this.writeAwaited(tracks, slice);
    await this.writeTogether(tracks, slice);
  }

  /** Only those that somebody waits for; `write`, later, passes over what they have of it. */
  async writeAwaited(tracks: readonly Track[], slice: Slice): Promise<void> {
    const awaited = this.audience?.awaited() ?? new Set();
    await this.writeTogether(
      tracks.filter((track) => isLive(track) && awaited.has(track.projection.name)),
      slice,
    );
  }

  private async writeTogether(tracks: readonly Track[], slice: Slice): Promise<void> {
    const behind = tracks.filter((track) => isBehind(track, slice.position));
    if (behind.length === 0) return;
    const failure = await this.attempt(behind, slice);
    if (failure === undefined) return;
    for (const track of behind) await this.narrow(track, rest(track, slice));
  }

  /** What a handler threw, or undefined when the slice is written. */
  private async attempt(tracks: readonly Track[], slice: Slice): Promise<Error | undefined> {
    try {
      await this.postgres.transaction(async (tx) => {
        // What nobody reads yet need not be on disk at once: the swap's commit flushes all of it.
        if (!tracks.some(isLive)) await tx.query('set local synchronous_commit = off');
        await moveCheckpoints(tx, tracks, slice.position);
        for (const track of tracks) {
          const events = due(track, slice);
          if (events.length === 0) continue;
          await track.projection.project(within(track.schema, tx), events);
        }
      });
    } catch (cause) {
      if (isPassing(cause) || cause instanceof OwnershipLost) throw cause;
      return cause instanceof Error ? cause : new Error(typeof cause);
    }
    for (const track of tracks) track.position = slice.position;
    this.onMoved(tracks);
    return undefined;
  }

  /** False when the track stopped within the slice. */
  private async narrow(track: Track, slice: Slice): Promise<boolean> {
    const failure = await this.attempt([track], slice);
    if (failure === undefined) return true;
    const [only] = slice.events;
    if (only === undefined) throw failure;
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

/** On the tables of a schema. Many a batch holds nothing for a read model: the path is set when it asks. */
function within(schema: string, tx: ProjectionTransaction): ProjectionTransaction {
  let isSet = false;
  return {
    async query<Row extends object>(text: string, values?: readonly unknown[]) {
      if (!isSet) await tx.query(`set local search_path to ${schema}`);
      isSet = true;
      return tx.query<Row>(text, values);
    },
  };
}

export const isLive = ({ projection, schema }: Filling): boolean =>
  schema === liveSchema(projection.name);

/** What of a slice a track does not have yet. */
const rest = ({ position }: Track, slice: Slice): Slice => ({
  ...slice,
  events: slice.events.filter((event) => position === undefined || event.position > position),
});

const due = (track: Track, slice: Slice): readonly LoggedEvent[] =>
  rest(track, slice)
    .events.filter(({ stream }) => track.projection.categories.includes(categoryOf(stream)))
    .map(upcastLogged);

/** Names of errors, SQLSTATEs and places in the code: messages may quote values (SPEC P6). */
function poisonOf(event: LoggedEvent, failure: Error): PoisonEvent {
  const { position, stream, number, type } = event;
  const code = codeOf(failure);
  const frame = /^\s+(at .+)$/m.exec(failure.stack?.replace(failure.message, '') ?? '')?.[1];
  const reason = [failure.name, code, frame].filter((part) => part !== undefined).join(' ');
  return { position, stream, number, type, reason };
}
