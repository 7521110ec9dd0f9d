import { Inject, Injectable } from '@nestjs/common';
import { randomBytes, randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import { hashJson } from '#domain/determinism/hash.js';
import { Refusal } from '#domain/errors/refusal.js';
import type { WrappedNamingKey } from '#domain/log-identity/events.js';
import {
  logIdentityDecider,
  type LogIdentityCommand,
} from '#domain/log-identity/log-identity.decider.js';
import { namingKeyDigest, LOG_IDENTITY_STREAM, streamName } from '#domain/stream-names.js';
import { AggregateStore } from '#event-store/aggregate-store.js';
import { type EventStore, EventStoreUnavailable } from '#event-store/event-store.js';
import { BadConfig } from '#platform/config/bad-config.js';
import { EVENT_STORE_CONNECTION, LOGGER } from '#platform/tokens.js';
import { SealingKeys, UnknownSealingKey } from '#subject-keys/sealing-keys.js';
import type { StoreOf } from './stores.js';

const KID = 'naming';
const KEY_BYTES = 32;

/** The purpose of a name. A `write` makes the naming key if the log has none; a `read` never changes the log. */
export type NameUse = 'read' | 'write';

/**
 * Names the streams of notes, conversations, threads and memories. A name is an HMAC under the naming key of the log, which the
 * log holds itself, wrapped with the sealing key: a copy of the log keeps its names, and the log alone does not show
 * to whom a stream belongs.
 */
@Injectable()
export class StreamNames {
  readonly #identity: StoreOf<typeof logIdentityDecider>;
  #isOpen = false;
  #key: Uint8Array | undefined;

  constructor(
    @Inject(EVENT_STORE_CONNECTION) eventStore: EventStore,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly sealingKeys: SealingKeys,
  ) {
    this.#identity = new AggregateStore(eventStore, logIdentityDecider, {
      writeFailure: 'MEMORY_WRITE_FAIL',
    });
  }

  /**
   * Reads the naming key of a log that has one, and wraps it anew if MACE_SEALING_KEY has changed. A log without one
   * gets its key with the first name. Fails with `EventStoreUnavailable`, and with BadConfig if the log has a key that
   * no configured sealing key opens: without it, every note and conversation would seem to be lost.
   */
  async open(): Promise<void> {
    this.#isOpen = true;
    this.#key = undefined;
    try {
      const wrapped = await this.#wrapped();
      if (wrapped !== undefined) this.#key = await this.#opened(wrapped);
    } catch (cause) {
      if (cause instanceof UnknownSealingKey)
        throw new BadConfig(
          'The log has a naming key that MACE_SEALING_KEY does not open: set MACE_SEALING_KEYS_OLD to the earlier value of MACE_SEALING_KEY.',
        );
      if (!(cause instanceof Refusal)) throw cause;
    }
  }

  /** Returns the stream of a note. Fails as `conversationStream` does. */
  async noteStream(
    owner: string,
    namespace: readonly string[],
    key: string,
    use?: NameUse,
  ): Promise<string> {
    return streamName(await this.#namingKey(use), 'note', [owner, namespace, key]);
  }

  /** Returns the stream of a person's memories. Fails as `conversationStream` does. */
  async memoriesStream(owner: string, use?: NameUse): Promise<string> {
    return streamName(await this.#namingKey(use), 'remembered', [owner]);
  }

  /**
   * Returns the stream of a conversation. A read of a log without a naming key gets a name that no stream has.
   * @throws EventStoreUnavailable, Refusal STORAGE_FULL or MEMORY_WRITE_FAIL if the log has no naming key and a write
   * cannot make it, and INTEGRITY_FAILURE if its key was changed
   */
  async conversationStream(owner: string, id: string, use?: NameUse): Promise<string> {
    return streamName(await this.#namingKey(use), 'conversation', [owner, id]);
  }

  /** Returns the stream of a thread's checkpoints. Fails as `conversationStream` does. */
  async threadStream(
    owner: string,
    thread: string,
    namespace: string,
    use?: NameUse,
  ): Promise<string> {
    return streamName(await this.#namingKey(use), 'thread', [owner, thread, namespace]);
  }

  async #namingKey(use: NameUse = 'write'): Promise<Uint8Array> {
    const isUnnamed = this.#key === undefined && use === 'read' && !(await this.#wrapped());
    return isUnnamed ? randomBytes(KEY_BYTES) : (this.#key ??= await this.#keyInLog());
  }

  async #keyInLog(): Promise<Uint8Array> {
    return this.#opened((await this.#wrapped()) ?? (await this.#made()));
  }

  async #opened(wrapped: WrappedNamingKey): Promise<Uint8Array> {
    const key = await this.#unwrapped(wrapped);
    if (wrapped.wrapped_by !== this.sealingKeys.id) await this.#rewrap(key);
    return key;
  }

  async #wrapped(): Promise<WrappedNamingKey | undefined> {
    // Before the start has compared the log with the keys, this may be another installation's log.
    if (!this.#isOpen) throw new EventStoreUnavailable('The log was not compared with the keys');
    return (await this.#identity.load(LOG_IDENTITY_STREAM)).state.naming_key;
  }

  /** Makes a key. Another instance may do so at the same time; the first key in the log counts. */
  async #made(): Promise<WrappedNamingKey> {
    const wrapped = await this.#wrap(randomBytes(KEY_BYTES));
    await this.#append({ type: 'make_naming_key', ...wrapped });
    const kept = await this.#wrapped();
    if (kept === undefined) throw new Refusal('MEMORY_WRITE_FAIL', { stream: LOG_IDENTITY_STREAM });
    return kept;
  }

  /** Wraps the key anew. If the log does not accept the event, the next start tries again. */
  async #rewrap(key: Uint8Array): Promise<void> {
    try {
      await this.#append({ type: 'rewrap_naming_key', ...(await this.#wrap(key)) });
      this.logger.info({ type: 'naming_key_rewrapped' });
    } catch (cause) {
      if (!(cause instanceof Refusal)) throw cause;
      this.logger.warn({ type: 'naming_key_not_rewrapped', error: cause.code });
    }
  }

  async #wrap(key: Uint8Array): Promise<WrappedNamingKey> {
    return { key_digest: namingKeyDigest(key), ...(await this.sealingKeys.wrap(KID, key)) };
  }

  async #unwrapped(wrapped: WrappedNamingKey): Promise<Uint8Array> {
    try {
      return await this.sealingKeys.unwrap(KID, wrapped);
    } catch (cause) {
      if (cause instanceof UnknownSealingKey) throw cause;
      const reason = 'the naming key was changed';
      const place = { stream: LOG_IDENTITY_STREAM, number: 0, reason };
      throw new Refusal('INTEGRITY_FAILURE', place).causedBy(cause);
    }
  }

  async #append(command: LogIdentityCommand): Promise<void> {
    await this.#identity.execute(LOG_IDENTITY_STREAM, [command], {
      command_id: randomUUID(),
      body_hash: hashJson(command),
      actor: 'system',
      trace_id: 'naming_key',
    });
  }
}
