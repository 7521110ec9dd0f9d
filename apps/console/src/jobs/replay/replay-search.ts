import { given, oneOf, textIn, wholeIn } from '../../data/search-params';
import { searchOfFields } from './search-tokens';

export type Clock = 'utc' | 'local' | 'elapsed';

/** The state of a replay, as the address of the page has it. */
export interface ReplaySearch {
  /** The number of the event at the cursor; without it, the cursor is at the last event, also of a running job. */
  readonly at?: number;
  readonly clock?: Clock;
  /** The search as the reader wrote it. */
  readonly q?: string;
}

const MAX_SEARCH = 1_000;

export function replaySearchOf(search: Record<string, unknown>): ReplaySearch {
  const fields = searchOfFields({
    types: textIn(search['types']),
    kind: textIn(search['kind']),
    from_tick: wholeIn(search['from_tick']),
    to_tick: wholeIn(search['to_tick']),
    text: textIn(search['text']),
  });
  return given({
    at: wholeIn(search['at']),
    clock: oneOf(['local', 'elapsed'] as const, search['clock']),
    q: textIn(search['q'] ?? fields)?.slice(0, MAX_SEARCH),
  });
}
