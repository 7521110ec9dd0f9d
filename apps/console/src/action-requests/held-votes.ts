import type { MaceClient } from '#client/index.js';
import { randomKey } from '#client/random-key.js';
import type { ShownChange } from '../changes/shown-changes';
import { isOpen, showOpen, THIS_PAGE } from '../session/this-page';
import { type Draft, restoreDraft } from './drafts';
import type { ReasonCode } from './words';

/** The time in ms in which a vote can be undone. */
export const HOLD_MS = 5_000;
/** The time in ms after which a vote without an answer is sent again. */
const AGAIN_MS = 5_000;

/** A request as the reviewer saw it, in few words. */
export interface SeenRequest {
  readonly request_id: string;
  readonly proposal_hash: string;
  readonly name: string;
  readonly changes: readonly ShownChange[];
}

export interface Ballot {
  readonly vote: 'approve' | 'reject' | 'abstain';
  readonly reason: string;
  readonly code?: ReasonCode;
  readonly requests: readonly SeenRequest[];
  /** The reviewer’s text. It returns to the form if the vote is undone or refused. */
  readonly typed: Draft;
}

export interface HeldVote extends Ballot {
  /** Also the Idempotency-Key, so that a vote which is sent twice counts once. */
  readonly id: string;
  /** The page that holds it. */
  readonly page: string;
  /** True for a vote on several requests, also if only one was selected. */
  readonly isBulk: boolean;
  /** When it is sent, or sent again, in ms since 1970. */
  readonly dueAt: number;
  /** `unanswered`: it was sent and may be counted, so it can no longer be undone. */
  readonly stage: 'held' | 'sent' | 'unanswered';
  /** Why there is no answer. */
  readonly problem?: string;
}

/** A request whose vote was refused. */
export interface ReturnedVote extends SeenRequest {
  readonly vote: Ballot['vote'];
  readonly why: string;
}

export interface HeldState {
  readonly held: readonly HeldVote[];
  readonly returned: readonly ReturnedVote[];
  /** The requests of the held votes. */
  readonly ids: ReadonlySet<string>;
}

/** Which votes of one sending count, and which were refused. */
export interface VoteOutcome {
  readonly cast: readonly string[];
  readonly refused: readonly { readonly request_id: string; readonly why: string }[];
  /** The request as the vote left it, if the vote was on one request. */
  readonly voted?: Awaited<ReturnType<MaceClient['actionRequests']['vote']>>;
}

/** How the votes of a signed-in person get to the service. */
export interface VoteSender {
  /** Fails if it is not known whether the votes count. */
  readonly send: (vote: HeldVote) => Promise<VoteOutcome>;
  /** Called before the requests of an answered vote are no longer left out of the queue. */
  readonly onAnswer: (vote: HeldVote, outcome: VoteOutcome) => void;
}

/**
 * The votes of a person that are not answered yet. Each is held for a moment, in which it can be undone, and kept in
 * this tab until the service has answered, also over a reload and a sign-out. Only the page that holds a vote, or that
 * comes after it in its tab, sends it.
 */
export class HeldVotes {
  #state: HeldState;
  /** Votes in the storage of this tab that another page has held, or holds. */
  #orphans: readonly HeldVote[];
  #sender: VoteSender | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #listeners = new Set<() => void>();
  readonly #key: string;

  /** @param person the name of the person, by `personOf` */
  constructor(private readonly person: string) {
    this.#key = `mace.held-votes.${person}`;
    const { state, orphans } = storedIn(this.#key);
    this.#state = state;
    this.#orphans = orphans;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly current = (): HeldState => this.#state;

  /** Sends the votes of an earlier page, and from now on each vote at its time, until the returned function is called. */
  connect(sender: VoteSender): () => void {
    this.#sender = sender;
    void this.#adoptOrphans();
    this.#sendDue();
    return () => {
      if (this.#sender === sender) this.#sender = undefined;
      clearTimeout(this.#timer);
    };
  }

  hold(ballot: Ballot, isBulk = false): void {
    showOpen();
    const ids = new Set(ballot.requests.map(({ request_id }) => request_id));
    const dueAt = Date.now() + HOLD_MS;
    const id = randomKey();
    const vote: HeldVote = { ...ballot, isBulk, id, page: THIS_PAGE, dueAt, stage: 'held' };
    this.#become({
      held: [...this.#state.held, vote],
      returned: this.#state.returned.filter(({ request_id }) => !ids.has(request_id)),
    });
    this.#wait();
  }

  /** Takes a vote back. Returns false if it has been sent. */
  undo(id: string): boolean {
    const vote = this.#state.held.find((one) => one.id === id);
    if (vote?.stage !== 'held') return false;
    this.#giveBack(vote, vote.requests);
    this.#become({ held: this.#state.held.filter((one) => one !== vote) });
    this.#wait();
    return true;
  }

  sendNow(id: string): void {
    const vote = this.#state.held.find((one) => one.id === id);
    if (vote !== undefined) void this.#send(vote);
  }

  /** Sends the votes that are held. The next page of the tab sends those again that have no answer by then. */
  leave(): void {
    for (const vote of this.#state.held) void this.#send(vote);
    for (const { id, stage } of this.#state.held)
      if (stage === 'held') this.#replace(id, { stage: 'unanswered' });
  }

  /** Removes the notice of a refused vote. */
  dismiss(requestId: string): void {
    this.#become({
      returned: this.#state.returned.filter(({ request_id }) => request_id !== requestId),
    });
  }

  /**
   * Gives the votes back that a crash has interrupted. None of them is sent, because nobody could undo it any more.
   * Those of a page that is still open are its own.
   */
  async #adoptOrphans(): Promise<void> {
    for (const vote of this.#orphans) {
      const isHeldElsewhere = await isOpen(vote.page);
      if (!this.#orphans.includes(vote)) continue;
      this.#orphans = this.#orphans.filter((one) => one !== vote);
      const requests = isHeldElsewhere ? [] : vote.requests;
      const refused = requests.map(({ request_id }) => ({ request_id, why: INTERRUPTED }));
      this.#settle(vote, { cast: [], refused });
    }
  }

  #sendDue(): void {
    for (const vote of this.#state.held) if (vote.dueAt <= Date.now()) void this.#send(vote);
    this.#wait();
  }

  #wait(): void {
    clearTimeout(this.#timer);
    const due = this.#state.held.filter(({ stage }) => stage !== 'sent').map(({ dueAt }) => dueAt);
    if (due.length === 0 || this.#sender === undefined) return;
    this.#timer = setTimeout(() => this.#sendDue(), Math.max(0, Math.min(...due) - Date.now()));
  }

  async #send(vote: HeldVote): Promise<void> {
    const sender = this.#sender;
    if (sender === undefined || vote.stage === 'sent') return;
    this.#replace(vote.id, { stage: 'sent' });
    try {
      const outcome = await sender.send(vote);
      // The next person's page shows nothing of this one's.
      if (this.#sender !== undefined) this.#sender.onAnswer(vote, outcome);
      this.#settle(vote, outcome);
    } catch (error) {
      const problem = error instanceof Error ? error.message : String(error);
      this.#replace(vote.id, { stage: 'unanswered', problem, dueAt: Date.now() + AGAIN_MS });
    }
    this.#wait();
  }

  #settle(vote: HeldVote, { refused }: VoteOutcome): void {
    const returned = refused.flatMap(({ request_id, why }) => {
      const seen = vote.requests.find((one) => one.request_id === request_id);
      return seen === undefined ? [] : [{ ...seen, why, vote: vote.vote }];
    });
    this.#giveBack(vote, returned);
    this.#become({
      held: this.#state.held.filter(({ id }) => id !== vote.id),
      returned: [...this.#state.returned, ...returned],
    });
  }

  /** Restores what was typed, so that it can be sent again. */
  #giveBack({ typed }: HeldVote, requests: readonly SeenRequest[]): void {
    if (Object.keys(typed).length === 0) return;
    for (const { request_id } of requests) restoreDraft(this.person, request_id, typed);
  }

  #replace(id: string, part: Partial<HeldVote>): void {
    this.#become({
      held: this.#state.held.map((one) => (one.id === id ? { ...one, ...part } : one)),
    });
  }

  #become(part: Partial<Omit<HeldState, 'ids'>>): void {
    const { held, returned } = { ...this.#state, ...part };
    this.#state = stateOf(held, returned);
    store(this.#key, { held: [...held, ...this.#orphans], returned });
    for (const listener of this.#listeners) listener();
  }
}

const stateOf = (held: HeldState['held'], returned: HeldState['returned']): HeldState => ({
  ...{ held, returned },
  ids: new Set(held.flatMap(({ requests }) => requests.map(({ request_id }) => request_id))),
});

const INTERRUPTED = 'The page ended before it sent the vote.';

type Kept = Pick<HeldState, 'held' | 'returned'>;

function store(key: string, { held, returned }: Kept): void {
  if (held.length + returned.length === 0) return sessionStorage.removeItem(key);
  try {
    sessionStorage.setItem(key, JSON.stringify({ held, returned }));
  } catch {
    // The tab has no room left. The votes are sent from memory, and only a crash of the tab can lose them.
  }
}

/**
 * Reads what an earlier page of this tab left. It may have sent those votes, so they are sent again at once. A page that
 * was left holds none any more: one that is held was held when that page crashed, or when its tab was copied.
 */
function storedIn(key: string): { readonly state: HeldState; readonly orphans: HeldVote[] } {
  const text = sessionStorage.getItem(key);
  if (text === null) return { state: stateOf([], []), orphans: [] };
  const { held, returned } = JSON.parse(text) as Kept;
  const again = held
    .filter(({ stage }) => stage !== 'held')
    .map((vote) => ({ ...vote, stage: 'unanswered' as const, dueAt: 0 }));
  return {
    state: stateOf(again, returned),
    orphans: held.filter(({ stage }) => stage === 'held'),
  };
}
