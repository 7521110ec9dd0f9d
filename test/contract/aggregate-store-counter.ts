import { expect } from '@jest/globals';
import type { AnsweredBy, Decider } from '#domain/decider.js';
import { CHAIN_START, chainHash } from '#domain/determinism/hash-chain.js';
import { Refusal } from '#domain/errors/refusal.js';
import type { CommandIdentity } from '#domain/recorded-event.js';
import { AggregateStore } from '#event-store/aggregate-store.js';
import type { EventStore, LoggedEvent } from '#event-store/event-store.js';
import { randomUUID } from 'node:crypto';
import { collected } from './event-store-collected.js';

/** A counter: the smallest aggregate that has inputs, outcomes, refusals and automatic events. */
export type CounterEvent =
  | { readonly type: 'added'; readonly data: { readonly by: number } }
  | { readonly type: 'ten_reached'; readonly data: { readonly total: number } }
  | { readonly type: 'closed'; readonly data: { readonly pages: number; readonly size: number } }
  | {
      readonly type: 'page_printed';
      readonly data: { readonly page: number; readonly text: string };
    };

/**
 * `add` of 0 changes nothing. After `close` the stream needs `pages` automatic events of `size`
 * characters each.
 */
export type CounterCommand = AnsweredBy<{ readonly total: number }> & Change;

type Change =
  | { readonly op: 'add'; readonly by: number }
  | { readonly op: 'write'; readonly text: string }
  | { readonly op: 'close'; readonly pages: number; readonly size: number };

export interface CounterState {
  readonly total: number;
  readonly printed: number;
  readonly closed: { readonly pages: number; readonly size: number } | undefined;
}

function decide(command: CounterCommand, state: CounterState): readonly CounterEvent[] {
  if (state.closed !== undefined) throw new Refusal('JOB_ENDED', { job_seed: 'counter' });
  switch (command.op) {
    case 'add': {
      if (command.by === 0) return [];
      const total = state.total + command.by;
      const added: CounterEvent = { type: 'added', data: { by: command.by } };
      return total % 10 === 0 ? [added, { type: 'ten_reached', data: { total } }] : [added];
    }
    case 'write':
      return [{ type: 'page_printed', data: { page: 0, text: command.text } }];
    case 'close':
      return [{ type: 'closed', data: { pages: command.pages, size: command.size } }];
  }
}

function evolve(state: CounterState, event: CounterEvent): CounterState {
  switch (event.type) {
    case 'added':
      return { ...state, total: state.total + event.data.by };
    case 'ten_reached':
      return state;
    case 'closed':
      return { ...state, closed: event.data };
    case 'page_printed':
      return { ...state, printed: state.printed + 1 };
  }
}

export const counter: Decider<CounterState, CounterCommand, CounterEvent> = {
  category: 'counter',
  schemas: {
    added: { version: 1, kind: 'input' },
    ten_reached: { version: 1, kind: 'outcome' },
    closed: { version: 1, kind: 'input' },
    page_printed: { version: 1, kind: 'outcome' },
  },
  initialState: () => ({ total: 0, printed: 0, closed: undefined }),
  evolve,
  decide,
  owed: ({ closed, printed }) =>
    Array.from({ length: (closed?.pages ?? 0) - printed }, (_, index) => ({
      type: 'page_printed',
      data: { page: printed + index, text: 'x'.repeat(closed!.size) },
    })),
  commandOf: (input) =>
    input.type === 'closed'
      ? { op: 'close', ...input.data }
      : { op: 'add', by: input.type === 'added' ? input.data.by : 0 },
  resultOf: (_, state) => ({ total: state.total }),
};

export const counters = (
  eventStore: EventStore,
): AggregateStore<CounterState, CounterCommand, CounterEvent> =>
  new AggregateStore(eventStore, counter, { writeFailure: 'MEMORY_WRITE_FAIL' });

export const add = (by: number): CounterCommand => ({ op: 'add', by });

/** Makes the identity of a command; `command_id` is a new UUID by default. */
export const identity = (command_id: string = randomUUID(), body = 'body'): CommandIdentity => ({
  command_id,
  body_hash: body,
  actor: 'tester',
  trace_id: randomUUID(),
});

export const newStream = (): string => `counter-${randomUUID()}`;

export const eventsOf = (eventStore: EventStore, stream: string): Promise<LoggedEvent[]> =>
  collected(eventStore.readStream(stream));

/** Checks the event numbers and the hash chain of a stream, and returns its events (SPEC I6). */
export async function chained(eventStore: EventStore, stream: string): Promise<LoggedEvent[]> {
  const events = await eventsOf(eventStore, stream);
  let previous = CHAIN_START;
  events.forEach((event, index) => {
    expect(event.number).toBe(index);
    expect(event.metadata.hash).toBe(chainHash(previous, event));
    previous = event.metadata.hash;
  });
  return events;
}
