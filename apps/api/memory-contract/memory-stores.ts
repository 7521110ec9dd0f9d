import { Inject, Injectable } from '@nestjs/common';
import { Refusal } from '#domain/errors/refusal.js';
import type { MemoryCommand } from '#domain/memory-contract/commands.js';
import type { MemoryEvent } from '#domain/memory-contract/events.js';
import { memoryDecider } from '#domain/memory-contract/memory.decider.js';
import type { StoreState } from '#domain/memory-contract/state.js';
import type { CommandIdentity } from '#domain/recorded-event.js';
import { upcast } from '#domain/upcast.js';
import { type Loaded, readRecorded } from '#event-store/aggregate-store.js';
import type { EventStore } from '#event-store/event-store.js';
import type { Answer as Taken } from '#event-store/stream-fold.js';
import { setImmediate as turnOfTheLoop, setTimeout as sleep } from 'node:timers/promises';
import type { MemoryStore } from '../platform/stores.js';
import { EVENT_STORE, MEMORY_STORE } from '../platform/tokens.js';

/** What a command comes to on the state that it was decided on. */
interface Unfolded {
  readonly events: readonly MemoryEvent[];
}

/** A command that was made before it was known whether what it is made of still holds; that never fails. */
export interface Ahead<Command> {
  readonly command: Command;
  readonly holds: Promise<boolean>;
}

/** How a command comes about, and what it is answered with. */
export interface Work<Command, Outcome, Answer> {
  /** What the command comes to on a state. */
  readonly unfold: (state: StoreState, command: Command) => Outcome;
  /** The command for that state; asked again after a lost race. */
  readonly commandFor: (state: StoreState) => Command | Promise<Command>;
  /** The command as it most likely will be, without waiting for what it is made of; undefined: none. */
  readonly aheadFor?: (state: StoreState) => Ahead<Command> | undefined;
  /** Made while the append is under way. */
  readonly answerOf: (outcome: Outcome) => Answer;
}

/** The answer of who answers with the outcome itself. */
export const outcomeItself = <Outcome>(outcome: Outcome): Outcome => outcome;

export interface Done<Answer> {
  readonly answer: Answer;
  /** What it was decided on; of a command that was taken before, the store as it is now. */
  readonly state: StoreState;
  /** The number of its last event; of a command that changed nothing, of the stream's. */
  readonly version: number;
  readonly position: bigint | undefined;
}

const LONGEST_PAUSE_MS = 25;

/** The stores of the Memory Contract: brings commands into them whose answers depend on what they found. */
@Injectable()
export class MemoryStores {
  /** What runs last on each stream: requests of this process take turns, so that they do not race. */
  private readonly turns = new Map<string, Promise<unknown>>();

  constructor(
    @Inject(EVENT_STORE) private readonly eventStore: EventStore,
    @Inject(MEMORY_STORE) private readonly stores: MemoryStore,
  ) {}

  load(stream: string): Promise<Loaded<StoreState>> {
    return this.stores.load(stream);
  }

  /** As this process knows a store, perhaps not as the log has it; undefined: not at all. */
  known(stream: string): Loaded<StoreState> | undefined {
    return this.stores.known(stream);
  }

  /**
   * Executes the command that `work` makes for a store's state, and answers what it unfolds to on the very
   * state that it was decided on. After a lost race both are asked again. A command that the store has taken
   * is not: it gets its first answer, decided again on the state that it met (SPEC I7). Throws what
   * `AggregateStore.execute` throws, and IDEMPOTENCY_MISMATCH.
   * @param looked the store as the log had it at some time since the request came, to be decided on first.
   */
  execute<Command extends MemoryCommand, Outcome extends Unfolded, Answer>(
    stream: string,
    identity: CommandIdentity,
    work: Work<Command, Outcome, Answer>,
    looked?: Promise<Loaded<StoreState>>,
  ): Promise<Done<Answer>> {
    return this.inTurn(stream, async () => {
      let asked = looked;
      let { aheadFor } = work;
      for (let races = 0; ; races += 1) {
        // What is appended is held against the log there: only where nothing is, the log is asked.
        const held = asked === undefined ? this.stores.known(stream) : undefined;
        const loaded = held ?? (await (asked ?? this.stores.load(stream)));
        asked = undefined;
        const taken = loaded.answerTo(identity.command_id);
        if (taken !== undefined) return this.repeated(loaded, taken, identity, work);
        const ahead = aheadFor?.(loaded.state);
        aheadFor = undefined;
        // What it waits for is sent before time is spent on deciding.
        if (ahead !== undefined) await turnOfTheLoop();
        const command = ahead?.command ?? (await work.commandFor(loaded.state));
        const outcome = work.unfold(loaded.state, command);
        if (outcome.events.length === 0) {
          if (held === undefined && ahead === undefined)
            return { answer: work.answerOf(outcome), ...loaded };
          asked = held === undefined ? Promise.resolve(loaded) : this.stores.load(stream);
          continue;
        }
        const appending = this.append(loaded, command, identity, ahead?.holds);
        const answer = await this.whileUnderWay(appending, ahead?.holds, () =>
          work.answerOf(outcome),
        );
        const landed = await appending;
        if (landed === 'taken before') continue;
        if (landed !== 'lost') return { answer, state: loaded.state, ...landed };
        await sleep(Math.min(races, LONGEST_PAUSE_MS));
      }
    });
  }

  /** Does what takes time between the sending of an append and its answer. */
  private async whileUnderWay<Result>(
    appending: Promise<unknown>,
    holds: Promise<boolean> | undefined,
    work: () => Result,
  ): Promise<Result> {
    appending.catch(() => undefined); // It is awaited afterwards.
    await holds;
    // One turn hands the message over, and the next sends it.
    await turnOfTheLoop();
    await turnOfTheLoop();
    return work();
  }

  private async append(
    { state: { stream }, version: expectedVersion }: Loaded<StoreState>,
    command: MemoryCommand,
    identity: CommandIdentity,
    provided: Promise<boolean> | undefined,
  ) {
    try {
      const executed = await this.stores.execute(stream, [command], identity, {
        expectedVersion,
        ...(provided === undefined ? {} : { provided }),
      });
      const { version, position, repeated } = executed;
      return repeated ? ('taken before' as const) : { version, position };
    } catch (cause) {
      if (cause instanceof Refusal && cause.code === 'VERSION_CONFLICT') return 'lost' as const;
      throw cause;
    }
  }

  private async repeated<Command extends MemoryCommand, Outcome extends Unfolded, Answer>(
    { state }: Loaded<StoreState>,
    { body_hash, results, version, position }: Taken,
    identity: CommandIdentity,
    { unfold, answerOf }: Work<Command, Outcome, Answer>,
  ): Promise<Done<Answer>> {
    const { command_id } = identity;
    if (body_hash !== identity.body_hash) throw new Refusal('IDEMPOTENCY_MISMATCH', { command_id });
    const { input_number } = results[0] as unknown as { input_number: number };
    const before = await this.stateBefore(state.stream, input_number);
    const input = await this.eventAt(state.stream, input_number);
    const outcome = unfold(before, memoryDecider.commandOf(input) as Command);
    return { answer: answerOf(outcome), state, version, position };
  }

  private async stateBefore(stream: string, number: number): Promise<StoreState> {
    if (number === 0) return memoryDecider.initialState(stream);
    return (await this.stores.loadAt(stream, number - 1)).state;
  }

  private async eventAt(stream: string, number: number): Promise<MemoryEvent> {
    for await (const event of readRecorded(this.eventStore, stream, { from: number, to: number }))
      return upcast<MemoryEvent>(memoryDecider.schemas, event);
    throw new Error(`${stream} holds no event ${number}`);
  }

  private async inTurn<Result>(stream: string, work: () => Promise<Result>): Promise<Result> {
    const before = this.turns.get(stream) ?? Promise.resolve();
    const mine = before.then(work, work);
    this.turns.set(stream, mine);
    try {
      return await mine;
    } finally {
      if (this.turns.get(stream) === mine) this.turns.delete(stream);
    }
  }
}
