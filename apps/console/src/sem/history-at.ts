import type { FactHistory, MaceClient } from '#client/index.js';
import { given } from '../data/search-params';
import type { Moment } from '../moment/use-moment';

const PAGE = 20;

/**
 * Returns a page of the events that a fact had at a moment, newest first; null if nothing was ever written under its
 * key. The history itself is read as it is now, so later events are left out.
 */
export async function historyAt(
  mace: MaceClient,
  key: string,
  { at }: Moment,
  before: number | undefined,
  signal: AbortSignal,
): Promise<FactHistory | null> {
  const end = at === undefined ? undefined : await mace.positionAt(at, { signal });
  const last = end === undefined ? undefined : BigInt(end.position ?? 0);
  for (let next = before; ;) {
    const page = { ...given({ before: next }), limit: PAGE };
    const found = await mace.sem.history(key, page, { signal });
    if (found === undefined || last === undefined) return found ?? null;
    const events = found.events.filter(({ event }) => BigInt(event.position) <= last);
    if (events.length > 0 || found.next_before === null) return { ...found, events };
    next = found.next_before;
  }
}
