import { Inject, Injectable } from '@nestjs/common';
import { checkpointStream, isCheckpointStream } from '#domain/stream-names.js';
import { type EventStore, type LoggedEvent, NoSuchPosition } from '#event-store/event-store.js';
import { wholeLog } from '#event-store/whole-log.js';
import { BundleSigner } from '#platform/signing/bundle-signature.js';
import type { StoredCheckpoint } from '#projections/checkpoints/checkpoints.projection.js';
import { CheckpointQueries } from '#projections/checkpoints/queries.js';
import { LogEnd } from '../platform/log-end.js';
import { EVENT_STORE } from '../platform/tokens.js';
import { CheckpointPlaces } from './checkpoint-places.js';
import { checkpointOf } from './list-checkpoints.js';

/** True for an event of a checkpoint, and for the claim of a request that makes one. */
function isAboutCheckpoint({ stream, type, data }: LoggedEvent): boolean {
  const { target_stream } = data;
  const isClaim = type === 'command_claimed' && typeof target_stream === 'string';
  return isCheckpointStream(isClaim ? target_stream : stream);
}

/** Compares the newest checkpoint with the end of the log. */
@Injectable()
export class LogGrowth {
  constructor(
    @Inject(EVENT_STORE) private readonly eventStore: EventStore,
    private readonly checkpoints: CheckpointQueries,
    private readonly places: CheckpointPlaces,
    private readonly signer: BundleSigner,
    private readonly logEnd: LogEnd,
  ) {}

  /** True if the log has an event after the last checkpoint that is not about a checkpoint. */
  async hasGrown(signal?: AbortSignal): Promise<boolean> {
    const [last] = await this.checkpoints.list(undefined, 1);
    return last === undefined || this.hasGrownSince(last, signal);
  }

  /**
   * Returns the stream of the newest checkpoint if another one would say the same: the log has not grown, no event was
   * damaged, a key of this service signed it, and the file is kept. Undefined otherwise.
   */
  async sameCheckpoint(): Promise<string | undefined> {
    // A read model that is behind keeps nobody from making a checkpoint.
    await this.logEnd.reach('checkpoints').catch(() => undefined);
    const [last] = await this.checkpoints.list(undefined, 1);
    if (last === undefined || Number(last.found) > 0) return undefined;
    const isHere = this.places.names.every((name) =>
      last.places.some(({ place }) => place === name),
    );
    if (!isHere || !(await this.isOwnKey(last.key_id))) return undefined;
    if (await this.hasGrownSince(last)) return undefined;
    const file = await this.places.read(checkpointOf(last));
    return file === undefined ? undefined : checkpointStream(last.checkpoint_id);
  }

  private async isOwnKey(keyId: string): Promise<boolean> {
    return (await this.signer.publicKeys()).some(({ kid }) => kid === keyId);
  }

  private async hasGrownSince(
    { log_position }: Pick<StoredCheckpoint, 'log_position'>,
    signal?: AbortSignal,
  ): Promise<boolean> {
    const end = await this.eventStore.lastPosition();
    try {
      for await (const page of wholeLog(this.eventStore, end, signal, BigInt(log_position)))
        if (page.some((event) => !isAboutCheckpoint(event))) return true;
      return false;
    } catch (cause) {
      // The log is another one than before, such as a restored backup.
      if (cause instanceof NoSuchPosition) return true;
      throw cause;
    }
  }
}
