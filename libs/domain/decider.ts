import type { Json, JsonObject } from './json.js';

/** A domain event: a type name in the past tense, never renamed, and data with snake_case fields. */
export interface DomainEvent {
  readonly type: string;
  readonly data: JsonObject;
}

/**
 * An *input* records a command with all data from outside. An *outcome* follows from inputs by the rules
 * alone. A replay takes the recorded inputs and recomputes the outcomes (SPEC X1).
 */
export type EventKind = 'input' | 'outcome';

/** How one event type is stored. `upcast[n]` converts data of version n to version n + 1. */
export interface EventSchema {
  readonly version: number;
  readonly kind: EventKind;
  readonly upcast?: Readonly<Record<number, (data: JsonObject) => JsonObject>>;
}

/** The schemas of event types that are still at version 1. */
export const input: EventSchema = { version: 1, kind: 'input' };
export const outcome: EventSchema = { version: 1, kind: 'outcome' };

declare const ANSWER: unique symbol;
/** Marks a command with the type of its answer. Only the compiler sees the mark. */
export interface AnsweredBy<Answer extends Json> {
  readonly [ANSWER]?: Answer;
}
/** The type of the answer to a command; null for a command without a mark. */
export type AnswerTo<Command> = Command extends { readonly [ANSWER]?: infer Answer }
  ? unknown extends Answer
    ? null
    : Exclude<Answer, undefined>
  : never;

/**
 * An aggregate as three pure functions, with further functions for replay. `evolve` never changes the
 * state that it receives. `decide` throws a `Refusal` or returns events: one input and then its
 * outcomes, or an empty list if nothing changes.
 */
export interface Decider<State, Command, Event extends DomainEvent = DomainEvent> {
  /** The part of the stream name before its first `-`. */
  readonly category: string;
  readonly schemas: Readonly<Record<Event['type'], EventSchema>>;
  /** The type of the event after which a stream accepts no further event, if there is such a type. */
  readonly lastType?: Event['type'];
  /** The state before the first event; `stream` is the stream's full name. */
  initialState(stream: string): State;
  evolve(state: State, event: Event): State;
  decide(command: Command, state: State): readonly Event[];
  /**
   * Returns outcomes that the stream does not have yet, such as the episodes of an ended job. The store appends them
   * under the command that caused them, in as many appends as needed, until this list is empty.
   */
  owed?(state: State): readonly Event[];
  /** Returns the command that an input event recorded. This is the inverse of `decide`, for replay. */
  commandOf(input: Event): Command;
  /** Returns the answer to the command that this input recorded, from the event and the state after the event. */
  resultOf?(input: Event, stateAfter: State): AnswerTo<Command> | null;
  /**
   * The approximate size of a state in characters, for a state that keeps only part of its events' data.
   * Without it, the store counts the size of all event data.
   */
  sizeOf?(state: State): number;
  /** Returns the state as JSON, for a state that is not JSON. A replay's state_hash covers this JSON (SPEC X1). */
  stateJson?(state: State): Json;
  /** Returns seed and epoch of the stream's seeded time (SPEC I3); `first` is the stream's first event. */
  seedOf?(stream: string, first: Event): { readonly seed: string; readonly epoch?: string };
}

export const fold = <State, Command, Event extends DomainEvent>(
  decider: Decider<State, Command, Event>,
  state: State,
  events: Iterable<Event>,
): State => {
  let folded = state;
  for (const event of events) folded = decider.evolve(folded, event);
  return folded;
};
