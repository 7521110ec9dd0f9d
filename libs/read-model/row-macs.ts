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
 * Makes and checks the MACs of rows by which an agent or a vote decides: HMACs with a key that Postgres and Redis never
 * see. It is derived from the sealing key of the installation, so all processes of an installation share it.
 */
export class RowMacs {
  private readonly key: KeyObject;
  private readonly oldKeys: readonly KeyObject[];
  private readonly listeners = new Set<(row: ChangedRow) => void>();

  /**
   * @param secret the sealing key of the installation
   * @param old earlier sealing keys, whose MACs are still accepted
   */
  constructor(secret: string, old: readonly string[] = []) {
    this.key = derived(secret);
    this.oldKeys = old.map(derived);
  }

  /** Calls back for each row that was found changed. */
  onChanged(listener: (row: ChangedRow) => void): void {
    this.listeners.add(listener);
  }

  /** Returns the MAC of a text, 32 bytes. */
  macOf(text: string): Buffer {
    return macBy(this.key, text);
  }

  isMacOf(text: string, mac: Buffer): boolean {
    const isBy = (key: KeyObject): boolean => isSame(macBy(key, text), mac);
    return isBy(this.key) || this.oldKeys.some(isBy);
  }

  report(row: ChangedRow): void {
    for (const listener of this.listeners) listener(row);
  }
}

const derived = (secret: string): KeyObject =>
  createSecretKey(Buffer.from(hkdfSync('sha256', secret, '', 'mace rows of read models', 32)));

const macBy = (key: KeyObject, text: string): Buffer =>
  createHmac('sha256', key).update(text).digest();

const isSame = (expected: Buffer, mac: Buffer): boolean =>
  mac.length === expected.length && timingSafeEqual(mac, expected);
