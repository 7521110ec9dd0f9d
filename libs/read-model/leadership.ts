import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { EventStore } from '#event-store/event-store.js';
import type { Slice } from './event-buffer.js';
import type { DifferentRows } from './different-rows.js';
import { Feed, type Slices } from './feed.js';
import { laterOf } from './later-of.js';
import { OtherLogGuard } from './other-log-guard.js';
import type { PositionWatch } from './position-watch.js';
import type { Postgres } from './postgres.js';
import { isBeingBuilt, isPassing } from './postgres-unavailable.js';
import type { OpenSealed, Projection } from './projection.js';
import {
  recordFilling,
  recordPoison,
  requestDueComparison,
  requestedRebuilds,
  withdrawRebuild,
} from './projection-records.js';
import { compareWithRebuilt } from './schema-comparison.js';
import {
  createSchema,
  dropRetired,
  dropSchema,
  liveSchema,
  nextSchema,
  OwnershipLost,
  schemaState,
  swapSchemas,
} from './schema-layout.js';
import {
  isLive,
  newTrack,
  type PoisonEvent,
  ProjectionFailed,
  shownPosition,
  SliceWriter,
  type Track,
} from './slice-writer.js';

export interface LeadershipOptions {
  readonly eventStore: EventStore;
  readonly postgres: Postgres;
  readonly projections: readonly Projection[];
  /** The callers that wait in this process. Without it, events are written as they arrive. */
  readonly watch?: PositionWatch;
  readonly log: Logger;
  /** The ms after which a read model is compared with its log again, by a rebuild; 0 or undefined for never. */
  readonly compareEveryMs?: number;
  /** Returns the key of a row without personal data. */
  readonly clear?: (key: string) => string;
  /** Opens the sealed values that a projection makes rows from. */
  readonly open?: OpenSealed;
}

const LOOK_EVERY_MS = 1_000;

/** The work of one leader, from the moment it gets the locks of its read models until it loses one. */
export class Leadership {
  /** The live read models, and rebuilt ones that replace a live one at the next slice. */
  private readonly shared: Track[] = [];
  /** Read models that are filled beside the live ones, each by its own feed. */
  private readonly rebuilds = new Map<string, Track>();
  private readonly writer: SliceWriter;
  /** The differences that the comparison of each rebuilt read model found; undefined while it runs. */
  private readonly compared = new Map<Track, readonly DifferentRows[] | undefined>();
  private readonly retired = new Set<string>();
  private readonly feeds = new Set<Feed>();
  private readonly ended = new AbortController();
  private readonly end: Promise<never>;
  private reject: (cause: unknown) => void = () => undefined;
  private readonly otherLogGuard: OtherLogGuard;
  private sharedFeed: Feed | undefined;
  private joining: Promise<void> = Promise.resolve();
  /** The restart of the shared feed that has not begun yet, and the rebuilds that join in it. */
  private nextRestart: Promise<void> | undefined;
  private readonly arrived: Track[] = [];
  private looking: Promise<void> = Promise.resolve();

  constructor(private readonly options: LeadershipOptions) {
    this.end = new Promise<never>((_, reject) => (this.reject = reject));
    this.end.catch(() => undefined);
    this.otherLogGuard = new OtherLogGuard(options);
    this.writer = new SliceWriter(
      options.postgres,
      (tracks) => this.announce(tracks),
      (track, poison) => this.poisoned(track, poison),
      options.open,
    );
  }

  /** Projects until it fails or is stopped. Rejects with the reason. */
  async run(): Promise<never> {
    try {
      await this.otherLogGuard.emptyIfOfOtherLog();
      for (const projection of this.options.projections)
        await attributed(projection, this.prepare(projection));
      this.announce(this.shared);
      if (this.shared.length > 0) this.openSharedFeed();
      // Rebuilds start after the shared feed, because that feed is restarted when a rebuild joins it.
      for (const track of this.rebuilds.values()) this.startRebuild(track);
      this.looking = this.lookAgain();
      this.looking.catch(this.fail);
      return await this.end;
    } finally {
      this.ended.abort();
      await Promise.allSettled([...this.feeds].map((feed) => feed.stop()));
      await Promise.allSettled([this.looking, this.joining]);
    }
  }

  stop(cause: Error): void {
    this.fail(cause);
  }

  private readonly fail = (cause: unknown): void => {
    this.ended.abort();
    this.reject(cause);
  };

  private async prepare(projection: Projection): Promise<void> {
    const { postgres } = this.options;
    const { name, version } = projection;
    this.retired.add(name);
    await recordPoison(postgres, name, undefined);
    const live = await schemaState(postgres, liveSchema(name));
    if (live === undefined) {
      await recordFilling(postgres, name);
      await createSchema(postgres, projection, liveSchema(name));
    }
    // Live tables of another version can be read until the rebuilt tables replace them.
    if (live === undefined || live.version === version) {
      this.shared.push(newTrack(projection, liveSchema(name), live?.position));
    }
    const next = await schemaState(postgres, nextSchema(name));
    if (next?.version === version) this.planRebuild(projection, next.position);
    else if (live !== undefined && live.version !== version) await this.planNewRebuild(projection);
    else await dropSchema(postgres, nextSchema(name));
  }

  private openSharedFeed(): void {
    const running = this.shared.filter((track) => track.poison === undefined);
    this.sharedFeed = this.open(earliest(running), {
      write: async (slice) => {
        await this.writer.write(this.shared, slice);
        await this.swapCaughtUp();
      },
      writeTo: (names, slice) => this.writer.writeTo(names, this.shared, slice),
      received: (events, position) => this.writer.received(this.shared, events, position),
      interrupted: () => this.otherLogGuard.noteInterruption(),
    });
    const feed = this.sharedFeed;
    const latest = running.reduce<bigint | undefined>(
      (last, one) => laterOf(last, one.position),
      undefined,
    );
    feed.caughtUp
      .then(() => {
        // A checkpoint can be later than the log's last event, and no event would bring the others there.
        if (latest !== undefined) feed.passed(latest);
        return this.otherLogGuard.caughtUp(this.shared.filter(isLive));
      })
      .catch(this.fail);
  }

  private open(after: bigint | undefined, slices: Slices): Feed {
    const { eventStore, watch } = this.options;
    const feed = new Feed(eventStore, after, slices, watch);
    this.feeds.add(feed);
    feed.failed.catch(this.fail);
    return feed;
  }

  private async close(feed: Feed | undefined): Promise<void> {
    if (feed === undefined) return;
    await feed.stop();
    this.feeds.delete(feed);
  }

  /** Looks each second for work that no event brings. */
  private async lookAgain(): Promise<void> {
    while (!this.ended.signal.aborted) {
      await this.otherLogGuard.checkAfterInterruption();
      await this.startRequestedRebuilds();
      for (const name of this.retired) {
        if (await dropRetired(this.options.postgres, name)) this.retired.delete(name);
      }
      await delay(LOOK_EVERY_MS, undefined, { signal: this.ended.signal }).catch(() => undefined);
    }
  }

  private async startRequestedRebuilds(): Promise<void> {
    const { postgres, projections, compareEveryMs = 0 } = this.options;
    if (compareEveryMs > 0)
      await requestDueComparison(
        postgres,
        projections.map(({ name }) => name),
        compareEveryMs,
      );
    for (const name of await requestedRebuilds(postgres)) {
      const projection = projections.find((one) => one.name === name);
      if (projection === undefined || this.isRebuilding(name)) continue;
      // A rebuild replaces the live tables when it has reached their position, which may not exist in another log.
      await this.otherLogGuard.requireSameLog();
      this.startRebuild(await this.planNewRebuild(projection));
    }
  }

  private isRebuilding(name: string): boolean {
    return (
      this.rebuilds.has(name) ||
      this.shared.some((track) => track.projection.name === name && !isLive(track))
    );
  }

  private async planNewRebuild(projection: Projection): Promise<Track> {
    await createSchema(this.options.postgres, projection, nextSchema(projection.name));
    return this.planRebuild(projection, undefined);
  }

  private planRebuild(projection: Projection, position: bigint | undefined): Track {
    const track = newTrack(projection, nextSchema(projection.name), position);
    this.rebuilds.set(projection.name, track);
    return track;
  }

  private startRebuild(track: Track): void {
    this.fill(track).catch(this.fail);
  }

  /** Fills the new tables through a subscription of their own, then lets them join the shared feed. */
  private async fill(track: Track): Promise<void> {
    let stopped: () => void = () => undefined;
    const poisoned = new Promise<void>((resolve) => (stopped = resolve));
    const write = async (slice: Slice): Promise<void> => {
      await this.writer.write([track], slice);
      if (track.poison !== undefined) stopped();
    };
    const feed = this.open(track.position, { write });
    await Promise.race([feed.caughtUp, poisoned]);
    await this.close(feed);
    if (this.ended.signal.aborted) return;
    const { name } = track.projection;
    if (track.poison === undefined) return this.restartSharedFeed(track);
    this.rebuilds.delete(name);
    await withdrawRebuild(this.options.postgres, name);
    await dropSchema(this.options.postgres, nextSchema(name));
  }

  /** Swaps what has caught up, and lets rebuilds join, while nothing is projected. One restart serves all that wait. */
  private async restartSharedFeed(...joining: readonly Track[]): Promise<void> {
    this.arrived.push(...joining);
    this.nextRestart ??= this.joining.then(() => {
      this.nextRestart = undefined;
      return this.restartNow();
    });
    this.joining = this.nextRestart;
    await this.nextRestart;
  }

  private async restartNow(): Promise<void> {
    if (this.ended.signal.aborted) return;
    await this.close(this.sharedFeed);
    for (const track of this.arrived.splice(0)) {
      this.rebuilds.delete(track.projection.name);
      this.shared.push(track);
    }
    await this.swapCaughtUp();
    if (!this.ended.signal.aborted) this.openSharedFeed();
  }

  /** Puts each rebuilt read model that has caught up in the place of its live one. */
  private async swapCaughtUp(): Promise<void> {
    for (const track of this.shared.filter((one) => !isLive(one))) {
      const live = this.liveTrackOf(track);
      if (track.poison !== undefined || !hasReached(track, live?.position)) continue;
      const found = this.compared.get(track);
      if (live !== undefined && live.poison === undefined && found === undefined) {
        // The live rows are compared at the same position; the shared feed brings them there.
        if (live.position === track.position && !this.compared.has(track))
          await this.beginComparison(track);
        continue;
      }
      await swapSchemas(this.options.postgres, track, found);
      this.compared.delete(track);
      const gone = [track, live];
      const kept = this.shared.filter((one) => !gone.includes(one));
      const swapped: Track = { ...track, schema: liveSchema(track.projection.name) };
      this.shared.splice(0, this.shared.length, ...kept, swapped);
      this.retired.add(track.projection.name);
      this.announce([swapped]);
      const { projection, position } = swapped;
      this.options.log.info(
        {
          projection: projection.name,
          position: String(position),
          compared: found !== undefined,
        },
        'A read model was rebuilt.',
      );
    }
  }

  /** Begins to compare the live rows with the rebuilt ones. Both go on meanwhile, and are swapped afterwards. */
  private beginComparison(track: Track): Promise<void> {
    this.compared.set(track, undefined);
    return new Promise((begun) => {
      this.compare(track, begun)
        .finally(begun)
        .then(async (found) => {
          this.compared.set(track, found);
          await this.restartSharedFeed();
        })
        .catch(this.fail);
    });
  }

  /** Names the live rows that are not as the log gives them, before the rebuilt ones replace them. */
  private async compare(track: Track, begun: () => void): Promise<readonly DifferentRows[]> {
    const { postgres, log, clear = String } = this.options;
    const { name } = track.projection;
    const { signal } = this.ended;
    try {
      const found = await compareWithRebuilt(postgres, track, { begun, clear, signal });
      for (const table of new Set(found.map((one) => one.table))) {
        const rows = found.filter((one) => one.table === table);
        log.error(
          { type: 'rows_differ', projection: name, table, rows },
          'Rows of a read model were not as the log gives them. The rebuild replaces them.',
        );
      }
      return found;
    } catch (cause) {
      const isNotOwn = cause instanceof OwnershipLost || (isPassing(cause) && !isBeingBuilt(cause));
      if (signal.aborted || isNotOwn) throw cause;
      // Tables that another program has dropped or altered cannot be compared, and the rebuilt ones replace them.
      log.error(
        { type: 'rows_differ', projection: name },
        'The tables of a read model were altered.',
      );
      return [];
    }
  }

  private liveTrackOf({ projection }: Track): Track | undefined {
    return this.shared.find((one) => one.projection.name === projection.name && isLive(one));
  }

  /**
   * Reports the positions of the live read models to the callers that wait in this process. A leadership
   * that has ended reports none: Postgres may have lost rows that it remembers.
   */
  private announce(tracks: readonly Track[]): void {
    if (this.ended.signal.aborted) return;
    for (const track of tracks.filter(isLive)) {
      const shown = shownPosition(track);
      if (shown !== undefined) this.options.watch?.passed(track.projection.name, shown);
    }
  }

  private async poisoned({ projection, schema }: Track, poison: PoisonEvent): Promise<void> {
    const { postgres, log } = this.options;
    log.error(
      { projection: projection.name, schema, ...poison, position: poison.position.toString() },
      'A projection stopped at an event that it cannot process.',
    );
    await recordPoison(postgres, projection.name, poison);
  }
}

/** Names the projection in a failure of its own; a server's outage and a lost race are nobody's own. */
const attributed = ({ name }: Projection, work: Promise<void>): Promise<void> =>
  work.catch((cause: unknown) => {
    const isOwn = !isPassing(cause) && !(cause instanceof OwnershipLost);
    throw isOwn ? new ProjectionFailed(name, cause) : cause;
  });

const earliest = (tracks: readonly Track[]): bigint | undefined =>
  tracks.reduce<bigint | undefined>(
    (least, { position }, index) =>
      index === 0 || position === undefined || (least !== undefined && position < least)
        ? position
        : least,
    undefined,
  );

const hasReached = (track: Track, target: bigint | undefined): boolean =>
  target === undefined || (track.position !== undefined && track.position >= target);
