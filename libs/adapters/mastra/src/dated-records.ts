import { type MaceClient, UncarriableValue } from '@mace-memory/client';
import { type ListedRecord, Records } from './records.js';

interface Dated {
  createdAt: Date;
  updatedAt: Date;
}

/** A value as JSON has it. */
type Stored<Type> = {
  readonly [Name in keyof Type]: Type[Name] extends Date ? string : Type[Name];
};

/** Records with the times of Mastra, which are `Date`s. */
export class DatedRecords<Type extends Dated> {
  readonly #records: Records<Stored<Type>>;

  constructor(client: MaceClient, namespace: readonly string[]) {
    this.#records = new Records(client, namespace);
  }

  async get(key: string): Promise<Type | null> {
    const stored = await this.#records.get(key);
    return stored === undefined ? null : this.#opened(stored);
  }

  async put(key: string, value: Type): Promise<void> {
    await this.#records.put(key, this.#stored(value));
  }

  /**
   * Changes a record in one step, and moves its `updatedAt` to now. `change` returns undefined to leave the
   * record as it is; so does this method then.
   */
  async change(
    key: string,
    change: (value: Type | null) => Type | undefined,
  ): Promise<Type | undefined> {
    const changed = await this.#records.change(key, (stored) => {
      const before = stored === undefined ? null : this.#opened(stored);
      const after = change(before);
      return after && this.#stored({ ...after, updatedAt: laterThan(before?.updatedAt) });
    });
    return changed && this.#opened(changed);
  }

  delete(key: string): Promise<void> {
    return this.#records.delete(key);
  }

  /** Yields all records. `erased` makes what stands for one that was erased. */
  async *all(erased: (record: ListedRecord<never>) => Type): AsyncGenerator<Type> {
    for await (const record of this.#records.all()) {
      const { value } = record;
      yield value === undefined ? erased({ ...record, value }) : this.#opened(value);
    }
  }

  #stored(value: Type): Stored<Type> {
    const [createdAt, updatedAt] = [isoTime(value, 'createdAt'), isoTime(value, 'updatedAt')];
    return { ...value, createdAt, updatedAt } as unknown as Stored<Type>;
  }

  #opened(stored: Stored<Type>): Type {
    const { createdAt, updatedAt } = stored as unknown as Record<keyof Dated, string>;
    const times: Dated = { createdAt: new Date(createdAt), updatedAt: new Date(updatedAt) };
    return { ...(stored as unknown as Type), ...times };
  }
}

/** Returns the time now, or just after another time. */
const laterThan = (time = new Date(0)): Date => new Date(Math.max(Date.now(), time.getTime() + 1));

/** Returns the ISO text of a time. @throws UncarriableValue for a value that is not a time */
export function isoTime<Name extends string>(
  value: { readonly [N in Name]: Date | string },
  name: Name,
): string {
  const given: unknown = value[name];
  const isDate = given instanceof Date || typeof given === 'string' || typeof given === 'number';
  const time = new Date(isDate ? given : NaN);
  if (Number.isNaN(time.getTime())) throw new UncarriableValue(name, 'no time');
  return time.toISOString();
}
