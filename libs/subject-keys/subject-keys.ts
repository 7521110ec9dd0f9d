import { createHmac, createSecretKey, hkdfSync, type KeyObject, randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { LruMap, stringBytes } from '#bounded/lru-map.js';
import { Refusal } from '#domain/errors/refusal.js';
import type { Sealed } from '#domain/held.js';
import type { Json } from '#domain/json.js';
import { keyId, keyIdOf, partsOfKeyId } from '#domain/privacy/key-id.js';
import { canonicalJson } from '#domain/determinism/canonical-json.js';
import type { Postgres } from '#read-model/postgres.js';
import { removeKeyFile } from './key-file.js';
import { type ErasedKey, type KeyErasure, KeyTable, type StoredKey } from './key-table.js';
import { isForbidden, PostgresUnavailable } from '#read-model/postgres-unavailable.js';
import { openText, sealText } from './sealed-text.js';
import { type SealingKeys, UnknownSealingKey } from './sealing-keys.js';

export type { KeyErasure } from './key-table.js';

/** The key of one subject in one version. */
interface SubjectKey {
  readonly kid: string;
  readonly key: KeyObject;
  /** Derived from the key, for fingerprints. */
  readonly mac: KeyObject;
}

/** A sealed value, opened; `erased` if its key was destroyed (SPEC P5). */
export type Opened = { readonly value: Json } | { readonly erased: true };

/** The keys cannot be reached, so personal data can be neither sealed nor opened now. */
export class KeysUnavailable extends Error {
  override readonly name = 'KeysUnavailable';
}

/** What bounds the keys in memory, and the approximate size of one with its promise. */
const KEY_BYTES = 1_000;
const KEPT_KEYS = {
  maxBytes: 12 * 1024 * 1024,
  bytesOf: (_: unknown, name: string) => stringBytes(name) + KEY_BYTES,
};
/**
 * The longest time in ms for which a key in memory is used without asking whether a key was destroyed. After
 * it, no process opens or seals values of an erased subject.
 */
export const KEY_FRESH_MS = 1_000;
/** The longest time in ms that a use of a key waits for `begin`. */
const BEGIN_WITHIN_MS = 2_000;

/**
 * Seals personal data under the key of its subject (SPEC P5). Keys are made when they are needed first. They
 * are in Postgres, wrapped with the sealing key of the installation.
 */
export class SubjectKeys {
  readonly #table: KeyTable;
  readonly #byKid = new LruMap<string, Promise<SubjectKey | undefined>>(KEPT_KEYS);
  readonly #current = new LruMap<string, Promise<SubjectKey>>(KEPT_KEYS);
  #destructions = -1n;
  #freshUntil = 0;
  #refreshing: Promise<void> | undefined;
  #hasBegun = false;
  readonly #begun: Promise<void>;
  #setBegun: () => void = () => undefined;

  /**
   * @param postgres connections with the role of the keys
   * @param dataDir the data directory, where a restore leaves the keys of a backup
   */
  constructor(
    postgres: Postgres,
    private readonly sealingKeys: SealingKeys,
    private readonly dataDir: string,
  ) {
    this.#table = new KeyTable(postgres, dataDir);
    this.#begun = new Promise((resolve) => (this.#setBegun = resolve));
  }

  /**
   * Destroys the keys that the log names as erased: the table may be a copy from before their erasure. Afterwards
   * the keys are used; a use before it waits, and then fails with `KeysUnavailable`. Returns the kids of the keys
   * that it destroyed. Fails with `PostgresUnavailable`.
   * @param erased all keys that erasures in the log have destroyed, in pages
   */
  async begin(erased: AsyncIterable<readonly ErasedKey[]>): Promise<readonly string[]> {
    const destroyed: string[] = [];
    for await (const keys of erased) destroyed.push(...(await this.#table.destroy(keys)));
    if (destroyed.length > 0) await this.#table.vacuum();
    // Reading the number also stores the restored keys if nothing has used the table before.
    await this.#table.destructions();
    await removeKeyFile(this.dataDir);
    this.use();
    return destroyed;
  }

  /** Lets the keys be used as they are in Postgres. */
  use(): void {
    this.#hasBegun = true;
    this.#setBegun();
  }

  /**
   * Seals a value under the current key of the subject, which is made if it does not exist. @param type the type
   * of the personal data. Fails with `KeysUnavailable`.
   */
  async seal(subject: string, value: Json, type: string): Promise<Sealed> {
    const { kid, key } = await reachable(() => this.#currentOf(subject));
    return { jwe: sealText(canonicalJson(value), key, kid), type };
  }

  /**
   * Returns a value as `seal` would seal it, of the same size, but under a key that nobody has. The subject gets no key.
   * Fails with `KeysUnavailable`.
   */
  async sealedForm(subject: string, value: Json, type: string): Promise<Sealed> {
    const kid =
      (await this.currentKid(subject)) ??
      keyId(subject, await reachable(() => this.#table.nextVersion(subject)));
    return { jwe: sealText(canonicalJson(value), createSecretKey(randomBytes(32)), kid), type };
  }

  /**
   * Returns a function that makes HMACs of texts under the current key of the subject, which is made if it does not
   * exist: equal texts have equal fingerprints until the key is destroyed. Fails with `KeysUnavailable`.
   */
  async fingerprints(subject: string): Promise<(text: string) => string> {
    const { mac } = await reachable(() => this.#currentOf(subject));
    return (text) => createHmac('sha256', mac).update(text).digest('hex');
  }

  /** Returns the id of the current key of the subject; undefined if it has none. Fails with `KeysUnavailable`. */
  async currentKid(subject: string): Promise<string | undefined> {
    return reachable(async () => {
      await this.#refresh();
      const known = await this.#current.get(subject);
      return (known ?? (await this.#table.current(subject)))?.kid;
    });
  }

  /**
   * Opens a sealed value. Fails with `KeysUnavailable`. @throws Refusal INTEGRITY_FAILURE if the value was
   * changed, or if its key was lost without an erasure.
   */
  async open(sealed: Sealed): Promise<Opened> {
    const kid = kidOf(sealed);
    const found = await reachable(() => this.#keyOf(kid));
    if (found === undefined) return { erased: true };
    try {
      return { value: JSON.parse(openText(sealed.jwe, found.key)) as Json };
    } catch (cause) {
      throw damaged('a sealed value was changed', cause);
    }
  }

  /**
   * Returns the erasures that have destroyed one of the keys, or were announced for it, by any process until now. Fails
   * with `KeysUnavailable`.
   */
  erasuresOf(kids: readonly string[]): Promise<readonly KeyErasure[]> {
    return reachable(async () => {
      await this.#refresh();
      return this.#table.erasuresOf(kids);
    });
  }

  /**
   * Returns the ids of the keys of a subject that are not destroyed, sorted, and notes that an erasure is about to name
   * them in its order. So a write that has sealed a value with one of them looks for the order. Fails with `KeysUnavailable`.
   */
  announceErasure(subject: string, requestId: string): Promise<readonly string[]> {
    return reachable(async () => {
      const kids = await this.#table.living(subject);
      await this.#table.announce(kids, requestId);
      return kids;
    });
  }

  /** True if the subject has a key that is not destroyed. Fails with `KeysUnavailable`. */
  async hasKey(subject: string): Promise<boolean> {
    return (await reachable(() => this.#table.current(subject))) !== undefined;
  }

  /**
   * True if the key of a sealed value was destroyed. A value that cannot be opened for another reason does not count:
   * a list that shows it redacted must not fail. Fails with `KeysUnavailable`.
   */
  async isErased(sealed: Sealed): Promise<boolean> {
    try {
      return (await reachable(() => this.#keyOf(kidOf(sealed)))) === undefined;
    } catch (cause) {
      if (cause instanceof Refusal) return false;
      throw cause;
    }
  }

  /**
   * Returns the keys that an order destroys which does not name them: those that its first execution has destroyed,
   * else the living ones of the subject. Fails with `KeysUnavailable`.
   */
  ofUnnamed(requestId: string, subject: string): Promise<readonly string[]> {
    return reachable(async () => {
      const destroyed = await this.#table.destroyedBy(requestId);
      return destroyed.length > 0 ? destroyed : this.#table.living(subject);
    });
  }

  /**
   * Destroys keys for the request of an erasure; a repetition changes nothing. What they sealed can never be opened
   * again: by this process at once, by all others after `KEY_FRESH_MS`. A later value of their subject gets a new key.
   * Fails with `KeysUnavailable`.
   */
  async destroy(kids: readonly string[], requestId: string): Promise<void> {
    const keys = kids.map((kid) => ({ kid, ...partsOfKeyId(kid), destroyed_by: requestId }));
    await reachable(async () => {
      await this.#table.destroy(keys);
      // A process may have died before it vacuumed the table.
      await this.#table.vacuum();
    });
    this.#forget();
  }

  /**
   * Wraps the keys anew that were wrapped with an earlier sealing key. Returns their number. Fails with
   * `UnknownSealingKey` if the earlier sealing key was not given, and else with `KeysUnavailable`.
   */
  async rewrap(): Promise<number> {
    let count = 0;
    for await (const { kid, ...wrapped } of this.#table.wrappedByOthers(this.sealingKeys.id)) {
      const key = await this.sealingKeys.unwrap(kid, wrapped);
      await this.#table.rewrap(kid, await this.sealingKeys.wrap(kid, key));
      count += 1;
    }
    return count;
  }

  /** Forgets the keys in memory if any process has destroyed a key since. */
  #refresh(): Promise<void> {
    return this.#hasBegun ? this.#refreshed() : this.#waitToBegin();
  }

  async #waitToBegin(): Promise<void> {
    const late = wait(BEGIN_WITHIN_MS, undefined, { ref: false });
    await Promise.race([this.#begun, late]);
    if (!this.#hasBegun)
      throw new KeysUnavailable('The keys of subjects are not compared with the erasures yet');
  }

  #refreshed(): Promise<void> {
    if (performance.now() < this.#freshUntil) return Promise.resolve();
    this.#refreshing ??= this.#compare().finally(() => (this.#refreshing = undefined));
    return this.#refreshing;
  }

  async #compare(): Promise<void> {
    const asked = performance.now();
    const destructions = await this.#table.destructions();
    if (destructions !== this.#destructions) this.#forget();
    this.#destructions = destructions;
    this.#freshUntil = asked + KEY_FRESH_MS;
  }

  #forget(): void {
    this.#byKid.clear();
    this.#current.clear();
    this.#freshUntil = 0;
  }

  async #currentOf(subject: string): Promise<SubjectKey> {
    await this.#refresh();
    return kept(this.#current, subject, async () => {
      const stored = (await this.#table.current(subject)) ?? (await this.#make(subject));
      const key = await this.#imported(stored);
      // The subject was erased in between.
      if (key === undefined) throw damaged('the key of a subject was destroyed while it was made');
      return key;
    });
  }

  async #keyOf(kid: string): Promise<SubjectKey | undefined> {
    await this.#refresh();
    return kept(this.#byKid, kid, async () => {
      const stored = await this.#table.byKid(kid);
      if (stored === undefined) throw damaged('the key of a sealed value is missing');
      return this.#imported(stored);
    });
  }

  async #make(subject: string): Promise<StoredKey> {
    const version = await this.#table.nextVersion(subject);
    const kid = keyId(subject, version);
    const wrapped = await this.sealingKeys.wrap(kid, randomBytes(32));
    await this.#table.add(kid, subject, version, wrapped);
    const stored = await this.#table.byKid(kid);
    if (stored === undefined) throw damaged('the key of a subject could not be stored');
    return stored;
  }

  async #imported(stored: StoredKey): Promise<SubjectKey | undefined> {
    if (stored.wrapped === null) return undefined;
    const bytes = await this.sealingKeys.unwrap(stored.kid, stored);
    const derived = hkdfSync('sha256', bytes, '', 'fingerprints', 32);
    const mac = createSecretKey(Buffer.from(derived));
    return { kid: stored.kid, key: createSecretKey(bytes), mac };
  }
}

const isUnreachable = (cause: unknown): boolean =>
  cause instanceof PostgresUnavailable || cause instanceof UnknownSealingKey || isForbidden(cause);

/** Runs a step that reads keys, and says of a failure that the keys cannot be reached. */
async function reachable<Result>(step: () => Promise<Result>): Promise<Result> {
  try {
    return await step();
  } catch (cause) {
    if (isUnreachable(cause))
      throw new KeysUnavailable('The keys of subjects cannot be reached', { cause });
    throw cause;
  }
}

/** Returns the `kid` of a sealed value. @throws Refusal INTEGRITY_FAILURE */
function kidOf(sealed: Sealed): string {
  try {
    return keyIdOf(sealed);
  } catch (cause) {
    throw damaged('a sealed value was changed', cause);
  }
}

const damaged = (reason: string, cause?: unknown): Refusal =>
  new Refusal('INTEGRITY_FAILURE', { stream: 'subject_keys', number: 0, reason }).causedBy(cause);

/** Returns the value of a map, made once. A failure is not kept. */
function kept<Value>(
  map: LruMap<string, Promise<Value>>,
  name: string,
  make: () => Promise<Value>,
): Promise<Value> {
  const known = map.get(name);
  if (known !== undefined) return known;
  const made = make();
  map.set(name, made);
  made.catch(() => {
    if (map.peek(name) === made) map.delete(name);
  });
  return made;
}
