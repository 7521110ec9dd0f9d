import {
  isErased,
  isMaceError,
  type MaceClient,
  MaceErased,
  type Note,
  recordOf,
  valueOf,
  writtenWithin,
} from '@mace-memory/client';

/** Returns the new value, or undefined to leave the record as it is. */
type Change<Value> = (value: Value | undefined) => Value | undefined;

/** A record of a list. Its value is undefined if it was erased. */
export interface ListedRecord<Value> {
  readonly key: string;
  readonly value: Value | undefined;
  readonly createdAt: string;
}

/** Documents of one kind, each a note. */
export class Records<Value extends object> {
  /** @param earlier the namespace in which earlier releases kept them */
  constructor(
    private readonly client: MaceClient,
    private readonly namespace: readonly string[],
    private readonly earlier?: readonly string[],
  ) {}

  /** Returns a record; undefined if there is none. @throws MaceErased if it was erased */
  async get(key: string): Promise<Value | undefined> {
    const note = await this.#note(key);
    if (note !== undefined && isErased(note.value)) throw new MaceErased('The record');
    return this.#valueOf(note);
  }

  /** Returns a record; undefined if there is none, or if it was erased. */
  async find(key: string): Promise<Value | undefined> {
    return this.#valueOf(await this.#note(key));
  }

  async put(key: string, value: Value): Promise<void> {
    await this.#put(key, value);
  }

  /** Writes a new record. Returns false if there is one already. */
  async add(key: string, value: Value): Promise<boolean> {
    if (
      this.earlier !== undefined &&
      (await this.client.notes.get(this.earlier, key)) !== undefined
    )
      return false;
    return succeeds(() => this.#put(key, value, 0));
  }

  /** Changes a record in one step, and decides again if another writer came first. An erased one is as if absent. */
  async change(key: string, change: Change<Value>): Promise<Value | undefined> {
    for (;;) {
      const note = await this.client.notes.get(this.namespace, key);
      const value = change(this.#valueOf(note ?? (await this.#note(key))));
      if (value === undefined) return undefined;
      const isWritten = await succeeds(() => this.#put(key, value, note?.version ?? 0));
      if (isWritten) return value;
    }
  }

  async delete(key: string): Promise<void> {
    await this.client.notes.delete(this.namespace, key);
    if (this.earlier !== undefined) await this.client.notes.delete(this.earlier, key);
  }

  async *all(): AsyncGenerator<ListedRecord<Value>> {
    const seen = new Set<string>();
    for (const prefix of [this.namespace, ...(this.earlier === undefined ? [] : [this.earlier])])
      for await (const note of this.client.notes.all({ prefix, depth: 0, limit: 500 })) {
        if (seen.has(note.key)) continue;
        seen.add(note.key);
        yield { key: note.key, value: this.#valueOf(note), createdAt: note.created_at };
      }
  }

  async #note(key: string): Promise<Note | undefined> {
    const note = await this.client.notes.get(this.namespace, key);
    if (note !== undefined || this.earlier === undefined) return note;
    return this.client.notes.get(this.earlier, key);
  }

  #valueOf(note: Note | undefined): Value | undefined {
    return note === undefined || isErased(note.value) ? undefined : (valueOf(note.value) as Value);
  }

  #put(key: string, value: Value, ifVersion?: number): Promise<unknown> {
    const condition = ifVersion === undefined ? {} : { ifVersion };
    return writtenWithin((maxBytes) =>
      this.client.notes.put(this.namespace, key, recordOf(value, { maxBytes }), condition),
    );
  }
}

/** Returns false if the write failed because the version had moved. */
export async function succeeds(write: () => Promise<unknown>): Promise<boolean> {
  try {
    await write();
    return true;
  } catch (error) {
    if (isMaceError(error, 'VERSION_CONFLICT')) return false;
    throw error;
  }
}
