import type { MaceClient, RecheckedRequest } from '#client/index.js';

/** The time in ms in which the rows that come on the screen are gathered, and the most ids of one call. */
const GATHER_MS = 100;
const MAX_IDS = 100;

interface Waiting {
  readonly id: string;
  readonly resolve: (checked: RecheckedRequest) => void;
  readonly reject: (reason: unknown) => void;
}

/** Checks requests again; what is asked for at about the same time, in one call. */
class RecheckBatch {
  private waiting: Waiting[] = [];
  private sending: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly mace: MaceClient) {}

  of(id: string): Promise<RecheckedRequest> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ id, resolve, reject });
      this.sending ??= setTimeout(() => this.send(), GATHER_MS);
    });
  }

  private send(): void {
    const { waiting } = this;
    this.waiting = [];
    this.sending = undefined;
    for (let from = 0; from < waiting.length; from += MAX_IDS)
      void this.answer(waiting.slice(from, from + MAX_IDS));
  }

  private async answer(waiting: readonly Waiting[]): Promise<void> {
    try {
      const { results } = await this.mace.actionRequests.recheck(waiting.map(({ id }) => id));
      waiting.forEach(({ resolve }, index) => resolve(results[index]!));
    } catch (error) {
      for (const { reject } of waiting) reject(error);
    }
  }
}

const batches = new WeakMap<MaceClient, RecheckBatch>();

/** Checks one request again, together with the others that are asked for now. */
export function recheckOf(mace: MaceClient, id: string): Promise<RecheckedRequest> {
  const batch = batches.get(mace) ?? new RecheckBatch(mace);
  batches.set(mace, batch);
  return batch.of(id);
}

/** Checks requests again, in calls of as many as the service takes. */
export async function recheckAll(
  mace: MaceClient,
  ids: readonly string[],
): Promise<readonly RecheckedRequest[]> {
  const checked: RecheckedRequest[] = [];
  for (let from = 0; from < ids.length; from += MAX_IDS)
    checked.push(...(await mace.actionRequests.recheck(ids.slice(from, from + MAX_IDS))).results);
  return checked;
}
