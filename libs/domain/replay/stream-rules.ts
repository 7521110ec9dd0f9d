import { actionRequestDecider } from '../action-request/action-request.decider.js';
import { auditDecider } from '../audit/audit.decider.js';
import { commandClaimDecider } from '../command-claim/command-claim.decider.js';
import { consentDecider } from '../consent/consent.decider.js';
import { conversationDecider } from '../conversation/conversation.decider.js';
import type { Decider, DomainEvent, EventSchema } from '../decider.js';
import { jobDecider } from '../job/decider.js';
import { logCheckpointDecider } from '../log-checkpoint/log-checkpoint.decider.js';
import { logIdentityDecider } from '../log-identity/log-identity.decider.js';
import { memoriesDecider } from '../memories/memories.decider.js';
import { memoryDecider } from '../memory-contract/memory.decider.js';
import { noteDecider } from '../note/note.decider.js';
import { ownerDecider } from '../ownership/owner.decider.js';
import type { RecordedEvent } from '../recorded-event.js';
import { quarantineDecider } from '../reflective-log/quarantine.decider.js';
import { reflectiveLogDecider } from '../reflective-log/reflective-log.decider.js';
import { routerDecider } from '../router/router.decider.js';
import { semDecider } from '../sem/sem.decider.js';
import { sessionDecider } from '../session/session.decider.js';
import { categoryOf } from '../stream-names.js';
import { threadDecider } from '../thread/thread.decider.js';
import { type ReplayMode, type ReplayReport, replayStream } from './stream-replay.js';

/** The rules by which a verification checks the streams of one category. */
export interface StreamRules {
  readonly category: string;
  readonly schemas: Readonly<Record<string, EventSchema>>;
  readonly decider: Decider<unknown, unknown>;
  /** Replays a stream; by default up to its first failure. */
  replay(
    stream: string,
    events: AsyncIterable<RecordedEvent>,
    mode?: ReplayMode,
  ): Promise<ReplayReport>;
}

const rulesOf = <State, Command, Event extends DomainEvent>(
  decider: Decider<State, Command, Event>,
): StreamRules => ({
  category: decider.category,
  schemas: decider.schemas,
  decider,
  replay: (stream, events, mode = 'strict') => replayStream(decider, stream, events, mode),
});

const RULES: ReadonlyMap<string, StreamRules> = new Map(
  [
    rulesOf(jobDecider),
    rulesOf(sessionDecider),
    rulesOf(semDecider),
    rulesOf(memoryDecider),
    rulesOf(actionRequestDecider),
    rulesOf(reflectiveLogDecider),
    rulesOf(quarantineDecider),
    rulesOf(noteDecider),
    rulesOf(memoriesDecider),
    rulesOf(ownerDecider),
    rulesOf(commandClaimDecider),
    rulesOf(consentDecider),
    rulesOf(conversationDecider),
    rulesOf(auditDecider),
    rulesOf(routerDecider),
    rulesOf(threadDecider),
    rulesOf(logIdentityDecider),
    rulesOf(logCheckpointDecider),
  ].map((rules) => [rules.category, rules]),
);

/** The deciders of all streams that the product writes. */
export const EVERY_DECIDER: readonly Decider<unknown, unknown>[] = [...RULES.values()].map(
  ({ decider }) => decider,
);

/** The categories of all streams that the product writes. */
export const STREAM_CATEGORIES: readonly string[] = [...RULES.keys()];

/** Returns the rules for a stream; undefined if no category of the product has such streams. */
export const rulesFor = (stream: string): StreamRules | undefined => RULES.get(categoryOf(stream));

/**
 * Returns the decider of a stream. A stream of an unknown category gets the one of jobs, which then finds its
 * events unreadable.
 */
export const deciderOf = (stream: string): Decider<unknown, unknown> =>
  (rulesFor(stream) ?? rulesOf(jobDecider)).decider;
