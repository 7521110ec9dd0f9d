import { Inject, Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { FolderCheckpoints } from '#checkpoints/folder-checkpoints.js';
import {
  type CheckpointFile,
  type CheckpointPlace,
  fileNameOf,
  PlaceFailed,
} from '#checkpoints/place.js';
import { CHECKPOINTS_FOLDER, IN_DATA_DIR, openPlace } from '#checkpoints/places.js';
import { hashJson } from '#domain/determinism/hash.js';
import type { KeptAt } from '#domain/log-checkpoint/log-checkpoint.decider.js';
import { checkpointStream } from '#domain/stream-names.js';
import type { ServiceConfig } from '#platform/config/service-config.js';
import { Metrics } from '../platform/health/metrics.js';
import type { CheckpointStore } from '../platform/stores.js';
import { CHECKPOINT_STORE, CONFIG, LOGGER } from '../platform/tokens.js';

/** A checkpoint whose file is kept, as its event or its row has it. */
export interface KeptCheckpoint {
  readonly checkpoint_id: string;
  readonly created_at: string;
  readonly sha256: string;
  readonly bytes: number;
  readonly places: readonly KeptAt[];
}

/** The author of the events about a file at its places. */
interface By {
  readonly actor: string;
  readonly trace_id: string;
}

const fileOf = (checkpoint: KeptCheckpoint): CheckpointFile => {
  const { sha256, bytes } = checkpoint;
  return { name: fileNameOf(checkpoint), sha256, bytes };
};

/** Keeps the files of checkpoints at the configured places, and records what became of them there (SPEC I6). */
@Injectable()
export class CheckpointPlaces {
  /** Every instance first writes to its own folder, from which a place that failed gets the file later. */
  readonly own: FolderCheckpoints;
  /** The names of the places that keep a new checkpoint. */
  readonly names: readonly string[];

  constructor(
    @Inject(CONFIG) private readonly config: ServiceConfig,
    @Inject(CHECKPOINT_STORE) private readonly store: CheckpointStore,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly metrics: Metrics,
  ) {
    this.own = new FolderCheckpoints(join(config.dataDir, CHECKPOINTS_FOLDER));
    const { places } = config.checkpoints;
    this.names = places.length === 0 ? [IN_DATA_DIR] : places;
  }

  /**
   * Lets each place that does not have the file yet keep it, if this instance has the file. Returns the position of the
   * last event that records it.
   */
  async keepAll(checkpoint: KeptCheckpoint, by: By): Promise<bigint | undefined> {
    const lacking = checkpoint.places.filter(
      ({ place, kept_at }) => kept_at === null && this.names.includes(place),
    );
    // A place that is not configured any more lacks its file for ever: the file is not read for it.
    if (lacking.length === 0) return undefined;
    if ((await this.own.read(fileOf(checkpoint)).catch(() => undefined)) === undefined)
      return undefined;
    let position: bigint | undefined;
    for (const { place } of lacking) position = await this.keep(checkpoint, place, by);
    return position;
  }

  private async keep(checkpoint: KeptCheckpoint, place: string, by: By): Promise<bigint> {
    const { checkpoint_id } = checkpoint;
    const outcome = await this.outcomeAt(checkpoint, place);
    const command = { ...outcome, place, at: new Date().toISOString() };
    const { position } = await this.store.execute(checkpointStream(checkpoint_id), [command], {
      command_id: randomUUID(),
      body_hash: hashJson(command),
      ...by,
    });
    return position;
  }

  private async outcomeAt(checkpoint: KeptCheckpoint, name: string) {
    const file = fileOf(checkpoint);
    try {
      const place = await this.open(name);
      return { type: 'keep', ...(await place.keep(file, this.own.pathOf(file))) } as const;
    } catch (cause) {
      if (!(cause instanceof PlaceFailed)) throw cause;
      const { problem } = cause;
      const { checkpoint_id } = checkpoint;
      this.metrics.checkpointFailures.inc({ result: 'not_kept' });
      this.logger.error(
        { type: 'checkpoint_not_kept', checkpoint_id, place: name, problem },
        'A place does not keep a checkpoint and will be asked again.',
      );
      return { type: 'fail_to_keep', problem } as const;
    }
  }

  /** Returns the bytes of a file from the first place that has them as they were made; undefined if none has. */
  async read(checkpoint: KeptCheckpoint): Promise<AsyncIterable<Buffer> | undefined> {
    const file = fileOf(checkpoint);
    const names = checkpoint.places
      .filter(({ kept_at }) => kept_at !== null)
      .map(({ place }) => place)
      .filter((place) => this.names.includes(place));
    for (const name of new Set([IN_DATA_DIR, ...names])) {
      const place = await this.open(name);
      // Another place may have the file.
      const bytes = await place.read(file).catch(() => undefined);
      if (bytes !== undefined) return bytes;
    }
    return undefined;
  }

  private async open(name: string): Promise<CheckpointPlace> {
    return name === IN_DATA_DIR ? this.own : openPlace(name, this.config.checkpoints.lockDays);
  }
}
