import type { Json, JsonObject } from './json.js';

/** What happened, in the past tense: a type that is never renamed and snake_case data. */
export interface DomainEvent {
  readonly type: string;
  readonly data: JsonObject;
}

/**
 * An *input* records what was asked, with everything that came from outside; an *outcome* follows from
 * inputs by the rules alone. Replay feeds in the first and recomputes the second (SPEC X1).
 */
export type EventKind = 'input' | 'outcome';

/** How one event type is stored. `upcast[n]` lifts data of version n to version n + 1. */
export interface EventSchema {
  readonly version: number;
  readonly kind: EventKind;
  readonly upcast?: Readonly<Record<number, (data: JsonObject) => JsonObject>>;
}

/** How an event type is stored that has never changed. */
export const input: EventSchema = { version: 1, kind: 'input' };
export const outcome: EventSchema = { version: 1, kind: 'outcome' };

/**
 * An aggregate as three pure functions, and what replay needs beside them.
 * `evolve` never changes the state it is given. `decide` throws a `Refusal` or answers events of which
 * the first is an input and the others, if any, are outcomes.
 */
export interface Decider<State, Command, Event extends DomainEvent = DomainEvent> {
  /** The part of the stream name before its first `-`. */
  readonly category: string;
  readonly schemas: Readonly<Record<Event['type'], EventSchema>>;
  /** What the fold begins with; `stream` is the full name. */
  initialState(stream: string): State;
  evolve(state: State, event: Event): State;
  decide(command: Command, state: State): readonly Event[];
  /**
   * Outcomes that the stream still owes, such as the episodes of a job that has ended. They are appended
   * under the command that caused them, in as many appends as they need, until nothing is owed.
   */
  owed?(state: State): readonly Event[];
  /** The command that an input event recorded: the inverse of `decide`, for replay. */
  commandOf(input: Event): Command;
  /** What the command that made this input answers with, read from the event and the state after it. */
  resultOf?(input: Event, stateAfter: State): Json;
  /**
   * Roughly how much a state holds, in characters, where its events say much that it does not keep; without
   * it, all that they say is taken to be kept.
   */
  sizeOf?(state: State): number;
  /** The state as JSON, where it is not JSON itself: what a replay's state_hash covers (SPEC X1). */
  stateJson?(state: State): Json;
  /** Seed and epoch of the stream's seeded time (SPEC I3); `first` is the stream's first event. */
  seedOf?(stream: string, first: Event): { readonly seed: string; readonly epoch?: string };
}

/** Folds events onto a state. */
export const fold = <State, Command, Event extends DomainEvent>(
  decider: Decider<State, Command, Event>,
  state: State,
  events: Iterable<Event>,
): State => {
  let folded = state;
  for (const event of events) folded = decider.evolve(folded, event);
  return folded;
};
