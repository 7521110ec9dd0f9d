import type { Decider, DomainEvent } from '../decider.js';
import { canonicalJson } from '../determinism/canonical-json.js';
import { CHAIN_START, chainHash } from '../determinism/hash-chain.js';
import { hashJson } from '../determinism/hash.js';
import type { RecordedEvent } from '../recorded-event.js';
import { upcast, UnreadableEvent } from '../upcast.js';
import { ContentHash } from './content-hash.js';
import { DecisionReplay, type Divergence } from './decision-replay.js';

/** In mode `audit` the replay reads the whole stream; in mode `strict` it stops at the first failure (SPEC X2). */
export const REPLAY_MODES = ['audit', 'strict'] as const;
export type ReplayMode = (typeof REPLAY_MODES)[number];

type ReplayCode = 'REPLAY_DIVERGENCE' | 'INTEGRITY_FAILURE';

export interface ReplayReport {
  readonly mode: ReplayMode;
  readonly stream: string;
  readonly events_checked: number;
  /** The stored hash of the last event; 64 zeros for an empty stream. */
  readonly head_hash: string;
  readonly content_hash: string;
  /** sha256 of the final state's canonical JSON; null if the replay stopped earlier. */
  readonly state_hash: string | null;
  readonly identical: boolean;
  /**
   * The number of outcomes still to append after an interrupted command, such as a job's end; otherwise
   * 0.
   */
  readonly owed: number;
  readonly code?: ReplayCode;
  /** The first event that differs from the expected event. */
  readonly divergence?: Divergence;
}

interface ReplayFailure {
  readonly code: ReplayCode;
  readonly divergence: Divergence;
}

/** Returns the hash of a state, by which replays are compared (SPEC X1). */
const stateHash = <State, Command, Event extends DomainEvent>(
  decider: Decider<State, Command, Event>,
  state: State,
): string => hashJson(decider.stateJson?.(state) ?? state);

/**
 * Replays one stream event by event, so that a long stream need not fit in memory. It verifies the chain
 * over the stored events, upcasts them, and decides them again (SPEC X1, I6).
 */
export class StreamReplay<State, Command, Event extends DomainEvent> {
  readonly #decisions: DecisionReplay<State, Command, Event>;
  readonly #content = new ContentHash();
  #head = CHAIN_START;
  #checked = 0;
  #deciding = true;
  #failure: ReplayFailure | undefined;

  constructor(
    private readonly decider: Decider<State, Command, Event>,
    private readonly stream: string,
    private readonly mode: ReplayMode,
  ) {
    this.#decisions = new DecisionReplay(decider, stream);
  }

  /** The first failure; undefined while the replay has not failed. */
  get failure(): ReplayFailure | undefined {
    return this.#failure;
  }

  /** True if the replay ignores the rest of the stream. */
  get stopped(): boolean {
    return this.mode === 'strict' && this.#failure !== undefined;
  }

  /** Checks the next event of the stream, as it is stored. */
  feed(stored: RecordedEvent): void {
    if (this.stopped) return;
    const dataText = canonicalJson(stored.data);
    this.#verifyLink(stored, dataText);
    this.#checked += 1;
    if (this.stopped) return;
    this.#decideAgain(stored, dataText);
  }

  finish(): ReplayReport {
    const missing = this.#deciding ? this.#decisions.missing() : undefined;
    if (missing !== undefined) this.#diverged(missing);
    const reached = this.#deciding && !this.stopped;
    return {
      mode: this.mode,
      stream: this.stream,
      events_checked: this.#checked,
      head_hash: this.#head,
      content_hash: this.#content.digest(),
      state_hash: reached ? stateHash(this.decider, this.#decisions.state) : null,
      identical: this.#failure === undefined,
      owed: reached ? this.#decisions.owed() : 0,
      ...this.#failure,
    };
  }

  #verifyLink(stored: RecordedEvent, dataText: string): void {
    const computed = chainHash(this.#head, stored, dataText);
    const { hash } = stored.metadata;
    const inPlace = stored.number === this.#checked && stored.stream === this.stream;
    if (computed !== hash || !inPlace) {
      const [expected, actual] = [{ hash: computed }, { hash }];
      this.#fail('INTEGRITY_FAILURE', { number: this.#checked, expected, actual });
    }
    this.#head = hash;
  }

  #decideAgain(stored: RecordedEvent, dataText: string): void {
    const event = this.#upcast(stored);
    const text = event.data === stored.data ? dataText : canonicalJson(event.data);
    this.#content.add(event, text);
    if (!this.#deciding) return;
    const divergence = this.#decisions.next(event, stored);
    if (divergence !== undefined) this.#diverged(divergence);
  }

  /**
   * Upcasts an event. Throws if the event is unreadable. If the replay has already failed, an unreadable event does not throw; it only ends the comparison of decisions.
   */
  #upcast(stored: RecordedEvent): Event {
    try {
      return upcast<Event>(this.decider.schemas, stored);
    } catch (error) {
      if (!(error instanceof UnreadableEvent) || this.#failure === undefined) throw error;
      this.#deciding = false;
      // eslint-disable-next-line no-restricted-syntax -- an unreadable event is counted and hashed, not folded
      return stored as DomainEvent as Event;
    }
  }

  #diverged(divergence: Divergence): void {
    this.#deciding = false;
    this.#fail('REPLAY_DIVERGENCE', divergence);
  }

  #fail(code: ReplayCode, divergence: Divergence): void {
    this.#failure ??= { code, divergence };
  }
}

/** Replays a stream's events, as stored, and returns the report. */
export async function replayStream<State, Command, Event extends DomainEvent>(
  decider: Decider<State, Command, Event>,
  stream: string,
  events: Iterable<RecordedEvent> | AsyncIterable<RecordedEvent>,
  mode: ReplayMode,
): Promise<ReplayReport> {
  const replay = new StreamReplay(decider, stream, mode);
  for await (const event of events) {
    replay.feed(event);
    if (replay.stopped) break;
  }
  return replay.finish();
}
