import { hkdfSync, createHash } from 'node:crypto';
import { CompactEncrypt, compactDecrypt, decodeProtectedHeader } from 'jose';

interface SealingKey {
  /** The first 16 hex digits of a hash of the derived key. */
  readonly id: string;
  readonly bytes: Uint8Array;
}

function derived(secret: string): SealingKey {
  const bytes = new Uint8Array(hkdfSync('sha256', secret, '', 'mace subject keys', 32));
  return { id: createHash('sha256').update(bytes).digest('hex').slice(0, 16), bytes };
}

/** A subject's key as Postgres stores it. */
export interface Wrapped {
  /** A compact JWE (dir + A256GCM). */
  readonly wrapped: string;
  /** The id of the sealing key that opens it. */
  readonly wrapped_by: string;
}

/** Wraps the keys of subjects with the sealing key of the installation (SPEC P5). */
export class SealingKeys {
  readonly #current: SealingKey;
  readonly #all: ReadonlyMap<string, SealingKey>;

  /**
   * @param current wraps new keys
   * @param old earlier sealing keys, which still open the keys that they wrapped
   */
  constructor(current: string, old: readonly string[] = []) {
    this.#current = derived(current);
    this.#all = new Map([...old.map(derived), this.#current].map((key) => [key.id, key]));
  }

  get id(): string {
    return this.#current.id;
  }

  async wrap(kid: string, key: Uint8Array): Promise<Wrapped> {
    const { id, bytes } = this.#current;
    const wrapped = await new CompactEncrypt(key)
      .setProtectedHeader({ alg: 'dir', enc: 'A256GCM', kid: id, subject_kid: kid })
      .encrypt(bytes);
    return { wrapped, wrapped_by: id };
  }

  /** Fails if the key was wrapped with another sealing key, for another subject, or was changed. */
  async unwrap(kid: string, { wrapped }: Wrapped): Promise<Uint8Array> {
    const { kid: id } = decodeProtectedHeader(wrapped);
    const key = this.#all.get(id ?? '');
    if (key === undefined) throw new UnknownSealingKey();
    const { plaintext, protectedHeader } = await compactDecrypt(wrapped, key.bytes);
    if (protectedHeader['subject_kid'] !== kid) throw new Error('A wrapped key is another key’s.');
    return plaintext;
  }
}

/** The key of a subject was wrapped with a sealing key that this process does not have. */
export class UnknownSealingKey extends Error {
  override readonly name = 'UnknownSealingKey';

  constructor() {
    super('A key in Postgres was wrapped with another MACE_SEALING_KEY');
  }
}
