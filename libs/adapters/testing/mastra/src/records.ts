import { type Json, MaceError, type MaceClient } from '@mace-memory/client';

/** Returns the new value, or undefined to leave the record as it is. */
type Change<Value> = (value: Value | undefined) => Value | undefined;

/** JSON documents of one kind, each a note. */
export class Records<Value extends object> {
  constructor(
    private readonly client: MaceClient,
    private readonly namespace: readonly string[],
  ) {}

  async get(key: string): Promise<Value | undefined> {
    return (await this.client.notes.get(this.namespace, key))?.value as Value | undefined;
  }

  async put(key: string, value: Value): Promise<void> {
    await this.client.notes.put(this.namespace, key, jsonOf(value));
  }

  /** Writes a new record. Returns false if there is one already. */
  async add(key: string, value: Value): Promise<boolean> {
    return succeeds(() =>
      this.client.notes.put(this.namespace, key, jsonOf(value), { ifVersion: 0 }),
    );
  }

  /** Changes a record in one step, and decides again if another writer came first. */
  async change(key: string, change: Change<Value>): Promise<Value | undefined> {
    for (;;) {
      const note = await this.client.notes.get(this.namespace, key);
      const value = change(note?.value as Value | undefined);
      if (value === undefined) return undefined;
      const ifVersion = note?.version ?? 0;
      const isWritten = await succeeds(() =>
        this.client.notes.put(this.namespace, key, jsonOf(value), { ifVersion }),
      );
      if (isWritten) return value;
    }
  }

  async delete(key: string): Promise<void> {
    await this.client.notes.delete(this.namespace, key);
  }

  async *all(): AsyncGenerator<{ readonly key: string; readonly value: Value }> {
    const list = this.client.notes.all({ prefix: [...this.namespace], depth: 0, limit: 500 });
    for await (const { key, value } of list) yield { key, value: value as Value };
  }
}

/** Returns a value as JSON has it: dates are ISO texts, and undefined properties are left out. */
export const jsonOf = (value: object): Json => JSON.parse(JSON.stringify(value)) as Json;

/** Returns false if the write failed because the version had moved. */
export async function succeeds(write: () => Promise<unknown>): Promise<boolean> {
  try {
    await write();
    return true;
  } catch (error) {
    if (error instanceof MaceError && error.code === 'VERSION_CONFLICT') return false;
    throw error;
  }
}
