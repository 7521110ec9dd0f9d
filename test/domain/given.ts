import { expect } from '@jest/globals';
import { fold, type Decider, type DomainEvent } from '#domain/decider.js';
import type { ErrorCode } from '#domain/errors/error-table.js';
import { Refusal } from '#domain/errors/refusal.js';

/** Assertions about what the given commands did. */
export interface Outcome<State, Event extends DomainEvent> {
  /**
   * Asserts that the commands added exactly these events, in this order, including the automatic events
   * after them.
   */
  then(...expected: readonly Event[]): void;
  /** Asserts that the commands added events of exactly these types, in this order. */
  thenTypes(...expected: readonly Event['type'][]): void;
  /** Asserts that the last command is refused with this code and that the earlier ones succeed. */
  thenRefused(code: ErrorCode): void;
  /** Returns the events that were added. */
  readonly events: () => readonly Event[];
  /** Returns the state after these events. */
  readonly state: () => State;
  /** Returns the answer to the last command; null if it has none. */
  readonly answer: () => unknown;
}

/**
 * Makes the test form `given(events).when(commands).then(events)` for one decider and stream. Each
 * command is decided on the state after the previous command and its automatic events, as in the
 * aggregate store.
 */
export function givenFor<State, Command, Event extends DomainEvent>(
  decider: Decider<State, Command, Event>,
  stream: string,
) {
  const run = (past: readonly Event[], commands: readonly Command[]) => {
    let state = fold(decider, decider.initialState(stream), past);
    const events: Event[] = [];
    let answer: unknown = null;
    const take = (made: readonly Event[]) => {
      events.push(...made);
      state = fold(decider, state, made);
    };
    for (const command of commands) {
      const made = decider.decide(command, state);
      const [input] = made;
      answer = input && decider.resultOf?.(input, decider.evolve(state, input));
      take(made);
      take(decider.owed?.(state) ?? []);
    }
    return { events, state, answer: answer ?? null };
  };
  return (...past: readonly Event[]) => ({
    when: (...commands: readonly Command[]): Outcome<State, Event> => ({
      then: (...expected) => expect(run(past, commands).events).toStrictEqual(expected),
      thenTypes: (...expected) =>
        expect(run(past, commands).events.map((event) => event.type)).toStrictEqual(expected),
      thenRefused: (code) => {
        const before = run(past, commands.slice(0, -1));
        expect(() => run([...past, ...before.events], commands.slice(-1))).toThrow(
          expect.objectContaining({ name: 'Refusal', code }),
        );
      },
      events: () => run(past, commands).events,
      state: () => run(past, commands).state,
      answer: () => run(past, commands).answer,
    }),
  });
}

/**
 * Runs any commands on a stream, for property-based tests. Each command is decided on the state after
 * the previous one; a refused command adds nothing.
 */
export const playFor =
  <State, Command, Event extends DomainEvent>(
    decider: Decider<State, Command, Event>,
    stream: string,
  ) =>
  (commands: readonly Command[]): { readonly events: readonly Event[]; readonly state: State } => {
    let state = decider.initialState(stream);
    const events: Event[] = [];
    for (const command of commands) {
      try {
        const made = decider.decide(command, state);
        state = fold(decider, state, made);
        events.push(...made);
      } catch (error) {
        expect(error).toBeInstanceOf(Refusal);
      }
    }
    return { events, state };
  };
