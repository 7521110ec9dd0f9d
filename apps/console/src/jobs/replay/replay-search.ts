import type { Conditions } from '../record/job-record';

export type Clock = 'utc' | 'local' | 'elapsed';

/** The state of a replay, as the address of the page has it. */
export interface ReplaySearch extends Conditions {
  /** The number of the event at the cursor; without it, the cursor is at the last event, also of a running job. */
  readonly at?: number;
  readonly clock?: Clock;
}

const wholeOf = (value: unknown): number | undefined => {
  const number = typeof value === 'string' && value !== '' ? Number(value) : value;
  return Number.isSafeInteger(number) && (number as number) >= 0 ? (number as number) : undefined;
};

const given = <Value>(name: string, value: Value | undefined) =>
  value === undefined ? {} : { [name]: value };

export function replaySearchOf(search: Record<string, unknown>): ReplaySearch {
  const { types, kind, clock, text } = search;
  const words = typeof text === 'number' ? String(text) : text;
  return {
    ...given('at', wholeOf(search['at'])),
    ...given('from_tick', wholeOf(search['from_tick'])),
    ...given('to_tick', wholeOf(search['to_tick'])),
    ...(typeof types === 'string' && /^[a-z_]+(,[a-z_]+)*$/.test(types) ? { types } : {}),
    ...(kind === 'input' || kind === 'outcome' ? { kind } : {}),
    ...(clock === 'local' || clock === 'elapsed' ? { clock } : {}),
    ...(typeof words === 'string' && words !== '' ? { text: words.slice(0, 200) } : {}),
  };
}

/** Returns the search conditions in the address; undefined if it has none. */
export function conditionsIn({
  at: _at,
  clock: _clock,
  ...conditions
}: ReplaySearch): Conditions | undefined {
  return Object.keys(conditions).length === 0 ? undefined : conditions;
}
