import type { Conditions } from '../record/job-record';
import { given, oneOf, textIn, wholeIn } from '../../data/search-params';

export type Clock = 'utc' | 'local' | 'elapsed';

/** The state of a replay, as the address of the page has it. */
export interface ReplaySearch extends Conditions {
  /** The number of the event at the cursor; without it, the cursor is at the last event, also of a running job. */
  readonly at?: number;
  readonly clock?: Clock;
}

export function replaySearchOf(search: Record<string, unknown>): ReplaySearch {
  const types = textIn(search['types']);
  return given({
    at: wholeIn(search['at']),
    from_tick: wholeIn(search['from_tick']),
    to_tick: wholeIn(search['to_tick']),
    types: types !== undefined && /^[a-z_]+(,[a-z_]+)*$/.test(types) ? types : undefined,
    kind: oneOf(['input', 'outcome'] as const, search['kind']),
    clock: oneOf(['local', 'elapsed'] as const, search['clock']),
    text: textIn(search['text'])?.slice(0, 200),
  });
}

/** Returns the search conditions in the address; undefined if it has none. */
export function conditionsIn({
  at: _at,
  clock: _clock,
  ...conditions
}: ReplaySearch): Conditions | undefined {
  return Object.keys(conditions).length === 0 ? undefined : conditions;
}
