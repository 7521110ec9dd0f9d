import { Inject, Injectable } from '@nestjs/common';
import { keyIdOf } from '#domain/privacy/key-id.js';
import { sealedIn } from '#domain/privacy/sealed-in.js';
import { requestStream } from '#domain/stream-names.js';
import { readRecorded } from '#event-store/aggregate-store.js';
import type { EventStore } from '#event-store/event-store.js';
import type { Seals, SealStanding } from '#event-store/seals.js';
import { type KeyErasure, SubjectKeys } from '#subject-keys/subject-keys.js';
import { EVENT_STORE } from '../platform/tokens.js';

/**
 * Compares what a command has sealed with the erasures, after its events are in the log: another process may have ordered
 * the destruction of the key between the seal and the append (SPEC P5, G6). Whether it has follows from the order of the
 * log, so the answer for a position is always the same; Postgres only says where to look.
 */
@Injectable()
export class SealedWrites implements Seals {
  constructor(
    @Inject(EVENT_STORE) private readonly eventStore: EventStore,
    private readonly keys: SubjectKeys,
  ) {}

  /** Fails with `KeysUnavailable` and `EventStoreUnavailable`. */
  async standingOf(kids: readonly string[], position: bigint | undefined): Promise<SealStanding> {
    let standing: SealStanding = 'kept';
    for (const erasure of await this.keys.erasuresOf(kids)) {
      const ordered = await this.orderOf(erasure);
      if (ordered !== undefined && (position === undefined || ordered < position)) return 'dead';
      // An order that was announced and is not in the log yet comes after the position.
      if (ordered === undefined && erasure.destroyed) standing = 'unknown';
    }
    return standing;
  }

  /** True if the key of a value in this event is destroyed. Fails as `standingOf` does. */
  async isErased(stream: string, number: number): Promise<boolean> {
    for await (const event of readRecorded(this.eventStore, stream, { from: number, to: number })) {
      const kids = sealedIn(event).map(keyIdOf);
      const erasures = kids.length === 0 ? [] : await this.keys.erasuresOf(kids);
      return erasures.some(({ destroyed }) => destroyed);
    }
    return false;
  }

  /**
   * Returns the position of the first event that names the key for its erasure: the order or, of an order of schema
   * version 1, the `deletion_event`. Undefined before that.
   */
  private async orderOf({ kid, request_id }: KeyErasure): Promise<bigint | undefined> {
    for await (const { data, position } of readRecorded(
      this.eventStore,
      requestStream(request_id),
    )) {
      const { kids } = data;
      if (Array.isArray(kids) && kids.includes(kid)) return position;
    }
    return undefined;
  }
}
