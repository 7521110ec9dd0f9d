import type { EventKind } from '../decider.js';
import type { RecordedEvent } from '../recorded-event.js';
import { upcast } from '../upcast.js';
import { jobDecider } from './decider.js';
import { type JobEvent, jobSchemas } from './events.js';
import { initialJob, type JobState } from './state.js';

/** Conditions on the events of a job. An event must meet all that are given. */
export interface EventConditions {
  readonly types?: readonly string[] | undefined;
  readonly kind?: EventKind | undefined;
  /** The event happened in this tick or in a later one. */
  readonly fromTick?: number | undefined;
  /** The event happened in this tick or in an earlier one. */
  readonly toTick?: number | undefined;
  /** The event's actor is this one, or its name begins so; upper and lower case are the same. */
  readonly actor?: string | undefined;
}

/** The state after one event, from which later states are folded. */
interface FoldCheckpoint {
  /** The number of the last folded event; -1 before the first. */
  readonly number: number;
  readonly state: JobState;
}

/** The first event that cannot be folded, and why. */
interface Break {
  readonly number: number;
  readonly cause: unknown;
}

/** How many events lie between two checkpoints at first. */
const INTERVAL = 256;
/** Above this approximate size of all checkpoints, in characters, every second one is given up. */
const MAX_CHECKPOINT_CHARACTERS = 16 * 1024 * 1024;
const EVENT_SIZE = 16;

const isKnown = (type: string): type is JobEvent['type'] => Object.hasOwn(jobSchemas, type);
const kindOf = (type: string): EventKind => (isKnown(type) ? jobSchemas[type].kind : 'outcome');

/**
 * What is needed to move through the events of a long job: the type and tick of every event, and the states from
 * which any other state is folded quickly. It keeps no event.
 */
export class JobTimeline {
  readonly #types: string[] = [];
  readonly #typeCodes = new Map<string, number>();
  readonly #typeOf: number[] = [];
  readonly #tickOf: number[] = [];
  /** In lower case. */
  readonly #actors: string[] = [];
  readonly #actorCodes = new Map<string, number>();
  readonly #actorOf: number[] = [];
  #checkpoints: (FoldCheckpoint & { readonly size: number })[];
  #checkpointSize = 0;
  #interval = INTERVAL;
  #state: JobState;
  #break: Break | undefined;

  constructor(stream: string) {
    this.#state = initialJob(stream);
    this.#checkpoints = [{ number: -1, state: this.#state, size: 0 }];
  }

  /** The number of the last event; -1 before the first. */
  get version(): number {
    return this.#typeOf.length - 1;
  }

  /** The approximate size in characters. */
  get size(): number {
    return this.#checkpointSize + EVENT_SIZE * this.#typeOf.length;
  }

  /** The types that occur, in the order of their first event. `typeCodes` refers to this list. */
  get types(): readonly string[] {
    return this.#types;
  }

  /** For each event, the index of its type in `types`. */
  get typeCodes(): readonly number[] {
    return this.#typeOf;
  }

  /** The first event from which on no state can be shown, because it cannot be folded. */
  get break(): Break | undefined {
    return this.#break;
  }

  /** Returns the numbers of the events that began a tick, from tick 1 on. */
  ticks(): number[] {
    const code = this.#typeCodes.get('ticked');
    return code === undefined ? [] : numbersIn(this.#typeOf, (type) => type === code);
  }

  /** Adds the next event as it is stored. @param broken why its place in the chain is wrong, if it is */
  add(stored: RecordedEvent, broken?: unknown): void {
    const number = this.version + 1;
    if (broken !== undefined) this.#break ??= { number, cause: broken };
    if (this.#break === undefined) this.#fold(stored, number);
    this.#typeOf.push(codeOf(stored.type, this.#types, this.#typeCodes));
    const actor = String(stored.metadata.actor).toLowerCase();
    this.#actorOf.push(codeOf(actor, this.#actors, this.#actorCodes));
    this.#tickOf.push(this.#state.tick);
    if (this.#break === undefined && (number + 1) % this.#interval === 0) this.#keep(number);
  }

  /** Returns the last checkpoint that is not after this event. */
  before(number: number): FoldCheckpoint {
    return this.#checkpoints.findLast((checkpoint) => checkpoint.number <= number)!;
  }

  /** Returns the numbers of the events that meet the conditions. */
  matching(conditions: EventConditions): number[] {
    const { types, kind, fromTick = 0, toTick = Infinity, actor = '' } = conditions;
    const beginning = actor.toLowerCase();
    const isOfActor = this.#actors.map((name) => name.startsWith(beginning));
    const allowed = this.#types.map(
      (type) =>
        (types === undefined || types.includes(type)) &&
        (kind === undefined || kindOf(type) === kind),
    );
    return numbersIn(this.#typeOf, (code, number) => {
      const tick = this.#tickOf[number] ?? 0;
      const isInside = tick >= fromTick && tick <= toTick;
      return allowed[code] === true && isInside && isOfActor[this.#actorOf[number] ?? -1] === true;
    });
  }

  #fold(stored: RecordedEvent, number: number): void {
    try {
      this.#state = jobDecider.evolve(this.#state, upcast<JobEvent>(jobSchemas, stored));
    } catch (cause) {
      this.#break = { number, cause };
    }
  }

  #keep(number: number): void {
    const size = jobDecider.sizeOf?.(this.#state) ?? 0;
    this.#checkpoints.push({ number, state: this.#state, size });
    this.#checkpointSize += size;
    if (this.#checkpointSize <= MAX_CHECKPOINT_CHARACTERS) return;
    this.#interval *= 2;
    this.#checkpoints = this.#checkpoints.filter((_, index) => index % 2 === 0);
    this.#checkpointSize = this.#checkpoints.reduce((sum, kept) => sum + kept.size, 0);
  }
}

/** Returns the index of a name in the list, which gets a new name at its end. */
function codeOf(name: string, names: string[], codes: Map<string, number>): number {
  const known = codes.get(name);
  if (known !== undefined) return known;
  codes.set(name, names.length);
  return names.push(name) - 1;
}

function numbersIn(
  list: readonly number[],
  isWanted: (value: number, number: number) => boolean,
): number[] {
  const numbers: number[] = [];
  list.forEach((value, number) => {
    if (isWanted(value, number)) numbers.push(number);
  });
  return numbers;
}
