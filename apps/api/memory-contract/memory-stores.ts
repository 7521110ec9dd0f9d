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
import type { Answer } from '#event-store/stream-fold.js';
import { setTimeout as sleep } from 'node:timers/promises';
import type { MemoryStore } from '../platform/stores.js';
import { EVENT_STORE, MEMORY_STORE } from '../platform/tokens.js';

/** What a command comes to on the state that it was decided on. */
interface Unfolded {
  readonly events: readonly MemoryEvent[];
}

export interface Done<Outcome> {
  readonly outcome: Outcome;
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

  /**
   * Executes the command that `commandFor` makes for a store's state, and answers what `unfold` makes of it
   * on the very state that it was decided on. After a lost race both are asked again. A command that the
   * store has taken is not: it gets its first answer, decided again on the state that it met (SPEC I7).
   * Throws what `AggregateStore.execute` throws, and IDEMPOTENCY_MISMATCH.
   * @param looked the store as the log had it at some time since the request came, to be decided on first.
   */
  execute<Command extends MemoryCommand, Outcome extends Unfolded>(
    stream: string,
    identity: CommandIdentity,
    unfold: (state: StoreState, command: Command) => Outcome,
    commandFor: (state: StoreState) => Command | Promise<Command>,
    looked?: Promise<Loaded<StoreState>>,
  ): Promise<Done<Outcome>> {
    return this.inTurn(stream, async () => {
      let asked = looked;
      for (let races = 0; ; races += 1) {
        // What is appended is held against the log there: only where nothing is, the log is asked.
        const held = asked === undefined ? this.stores.known(stream) : undefined;
        const loaded = held ?? (await (asked ?? this.stores.load(stream)));
        asked = undefined;
        const known = loaded.answerTo(identity.command_id);
        if (known !== undefined) return this.repeated(loaded, known, identity, unfold);
        const command = await commandFor(loaded.state);
        const outcome = unfold(loaded.state, command);
        if (outcome.events.length === 0) {
          if (held === undefined) return { outcome, ...loaded };
          asked = this.stores.load(stream);
          continue;
        }
        const landed = await this.append(loaded, command, identity);
        if (landed === 'taken before') continue;
        if (landed !== 'lost') return { outcome, state: loaded.state, ...landed };
        await sleep(Math.min(races, LONGEST_PAUSE_MS));
      }
    });
  }

  private async append(
    { state: { stream }, version: expectedVersion }: Loaded<StoreState>,
    command: MemoryCommand,
    identity: CommandIdentity,
  ) {
    try {
      const executed = await this.stores.execute(stream, [command], identity, { expectedVersion });
      const { version, position, repeated } = executed;
      return repeated ? ('taken before' as const) : { version, position };
    } catch (cause) {
      if (cause instanceof Refusal && cause.code === 'VERSION_CONFLICT') return 'lost' as const;
      throw cause;
    }
  }

  private async repeated<Command extends MemoryCommand, Outcome extends Unfolded>(
    { state }: Loaded<StoreState>,
    { body_hash, results, version, position }: Answer,
    identity: CommandIdentity,
    unfold: (state: StoreState, command: Command) => Outcome,
  ): Promise<Done<Outcome>> {
    const { command_id } = identity;
    if (body_hash !== identity.body_hash) throw new Refusal('IDEMPOTENCY_MISMATCH', { command_id });
    const { input_number } = results[0] as unknown as { input_number: number };
    const before = await this.stateBefore(state.stream, input_number);
    const input = await this.eventAt(state.stream, input_number);
    const outcome = unfold(before, memoryDecider.commandOf(input) as Command);
    return { outcome, state, version, position };
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
