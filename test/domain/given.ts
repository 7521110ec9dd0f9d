import { expect } from '@jest/globals';
import { fold, type Decider, type DomainEvent } from '#domain/decider.js';
import type { ErrorCode } from '#domain/errors/error-table.js';
import { Refusal } from '#domain/errors/refusal.js';

/** What a specification may say about the commands it was given. */
export interface Outcome<State, Event extends DomainEvent> {
  /** Exactly these events, in this order; what the stream owes afterwards is among them. */
  then(...expected: readonly Event[]): void;
  /** Events of exactly these types, in this order. */
  thenTypes(...expected: readonly Event['type'][]): void;
  /** The last command is refused with this code; those before it went through. */
  thenRefused(code: ErrorCode): void;
  /** The events, for a closer look. */
  readonly events: () => readonly Event[];
  /** The state after them. */
  readonly state: () => State;
}

/**
 * `given(events).when(commands).then(events)` for one decider and stream. Commands are decided one after
 * the other on the evolving state, and what the stream owes follows each, as the aggregate store does it.
 */
export function givenFor<State, Command, Event extends DomainEvent>(
  decider: Decider<State, Command, Event>,
  stream: string,
) {
  const run = (past: readonly Event[], commands: readonly Command[]) => {
    let state = fold(decider, decider.initialState(stream), past);
    const events: Event[] = [];
    const take = (made: readonly Event[]) => {
      events.push(...made);
      state = fold(decider, state, made);
    };
    for (const command of commands) {
      take(decider.decide(command, state));
      take(decider.owed?.(state) ?? []);
    }
    return { events, state };
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
    }),
  });
}

/**
 * What any commands make of a stream, for laws that hold of all: they are decided one after the other, and
 * one that is refused makes nothing.
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
