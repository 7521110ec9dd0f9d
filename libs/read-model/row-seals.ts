import {
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  timingSafeEqual,
} from 'node:crypto';

/** The place of a row or cache entry that was changed outside the service. */
export interface ChangedRow {
  /** The table, such as `sem.fact`. */
  readonly table: string;
  /** The stream and the event number that the row names. A forger may have changed them as well. */
  readonly stream: string;
  readonly number: number;
}

/**
 * Seals the rows that routes answer from: an HMAC with a key that Postgres and Redis never see. Its key is
 * derived from the sealing key of the installation, so all processes of an installation share it.
 */
export class RowSeals {
  private readonly key: KeyObject;
  private readonly oldKeys: readonly KeyObject[];
  private readonly listeners = new Set<(row: ChangedRow) => void>();

  /**
   * @param secret the sealing key of the installation
   * @param old earlier sealing keys, whose seals are still accepted
   */
  constructor(secret: string, old: readonly string[] = []) {
    this.key = derived(secret);
    this.oldKeys = old.map(derived);
  }

  /** Calls back for each row that was found changed. */
  onChanged(listener: (row: ChangedRow) => void): void {
    this.listeners.add(listener);
  }

  /** Returns the seal of a text, 32 bytes. */
  sealOf(text: string): Buffer {
    return sealBy(this.key, text);
  }

  isSealed(text: string, seal: Buffer): boolean {
    const isBy = (key: KeyObject): boolean => isSame(sealBy(key, text), seal);
    return isBy(this.key) || this.oldKeys.some(isBy);
  }

  /** Reports a changed row to the listeners. */
  report(row: ChangedRow): void {
    for (const listener of this.listeners) listener(row);
  }
}

const derived = (secret: string): KeyObject =>
  createSecretKey(Buffer.from(hkdfSync('sha256', secret, '', 'mace rows of read models', 32)));

const sealBy = (key: KeyObject, text: string): Buffer =>
  createHmac('sha256', key).update(text).digest();

const isSame = (expected: Buffer, seal: Buffer): boolean =>
  seal.length === expected.length && timingSafeEqual(seal, expected);
