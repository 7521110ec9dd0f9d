import { mintedClient, type ServiceOptions } from '../service/connection.js';
import { SampleNames } from './names.js';

/** The note that says which filling of the sample a service has, and whether it was removed. */
const NOTE = { namespace: ['sample-state'], key: 'round' } as const;

interface Round {
  readonly round: number;
  readonly removed: boolean;
}

/** Keeps which filling of the sample a service has. */
export class SampleRound {
  private constructor(
    private readonly notes: Awaited<ReturnType<typeof mintedClient>>['notes'],
    private readonly found: Round | undefined,
  ) {}

  static async of(options: ServiceOptions): Promise<SampleRound> {
    const { notes } = await mintedClient(options, { sub: 'sample-state', roles: ['agent'] });
    const note = await notes.get(NOTE.namespace, NOTE.key);
    return new SampleRound(notes, note?.value as unknown as Round | undefined);
  }

  /** Returns the names of the sample that is there; undefined if there is none. */
  get present(): SampleNames | undefined {
    return this.found === undefined || this.found.removed
      ? undefined
      : new SampleNames(this.found.round);
  }

  /** Returns the names of the sample that is there or that a filling makes. */
  async begin(): Promise<SampleNames> {
    if (this.present !== undefined) return this.present;
    const round = (this.found?.round ?? 0) + 1;
    await this.#keep({ round, removed: false });
    return new SampleNames(round);
  }

  /** Records that the sample was removed. */
  async end({ round }: SampleNames): Promise<void> {
    await this.#keep({ round, removed: true });
  }

  async #keep(value: Round): Promise<void> {
    await this.notes.put(NOTE.namespace, NOTE.key, { ...value });
  }
}
