import type { Provider } from '@nestjs/common';
import { actionRequestDecider } from '#domain/action-request/action-request.decider.js';
import { auditDecider } from '#domain/audit/audit.decider.js';
import { consentDecider } from '#domain/consent/consent.decider.js';
import { conversationDecider } from '#domain/conversation/conversation.decider.js';
import { commandClaimDecider } from '#domain/command-claim/command-claim.decider.js';
import type { Decider, DomainEvent } from '#domain/decider.js';
import { jobDecider } from '#domain/job/decider.js';
import { logCheckpointDecider } from '#domain/log-checkpoint/log-checkpoint.decider.js';
import { memoriesDecider } from '#domain/memories/memories.decider.js';
import { memoryDecider } from '#domain/memory-contract/memory.decider.js';
import { noteDecider } from '#domain/note/note.decider.js';
import { ownerDecider } from '#domain/ownership/owner.decider.js';
import { routerDecider } from '#domain/router/router.decider.js';
import { quarantineDecider } from '#domain/reflective-log/quarantine.decider.js';
import { reflectiveLogDecider } from '#domain/reflective-log/reflective-log.decider.js';
import type { semDecider } from '#domain/sem/sem.decider.js';
import { sessionDecider } from '#domain/session/session.decider.js';
import { threadDecider } from '#domain/thread/thread.decider.js';
import { AggregateStore } from '#event-store/aggregate-store.js';
import type { EventStore } from '#event-store/event-store.js';
import type { Seals } from '#event-store/seals.js';
import { FactCache } from './cache/fact-cache.js';
import { InvalidatingSemStore } from './cache/invalidating-sem-store.js';
import {
  ACTION_REQUEST_STORE,
  AUDIT_STORE,
  CHECKPOINT_STORE,
  COMMAND_CLAIM_STORE,
  CONSENT_STORE,
  CONVERSATION_STORE,
  EVENT_STORE,
  JOB_STORE,
  MEMORIES_STORE,
  MEMORY_STORE,
  NOTE_STORE,
  OWNER_STORE,
  QUARANTINE_STORE,
  REFLECTIVE_LOG_STORE,
  ROUTER_STORE,
  SEALS,
  SEM_STORE,
  SESSION_STORE,
  THREAD_STORE,
} from './tokens.js';

/** The aggregate store of a decider. */
export type StoreOf<D> =
  D extends Decider<infer State, infer Command, infer Event>
    ? AggregateStore<State, Command, Event>
    : never;

export type JobStore = StoreOf<typeof jobDecider>;
export type SemStore = StoreOf<typeof semDecider>;
export type ActionRequestStore = StoreOf<typeof actionRequestDecider>;
export type SessionStore = StoreOf<typeof sessionDecider>;
export type MemoriesStore = StoreOf<typeof memoriesDecider>;
export type NoteStore = StoreOf<typeof noteDecider>;
export type OwnerStore = StoreOf<typeof ownerDecider>;
export type CommandClaimStore = StoreOf<typeof commandClaimDecider>;
export type CheckpointStore = StoreOf<typeof logCheckpointDecider>;
export type ConsentStore = StoreOf<typeof consentDecider>;
export type ConversationStore = StoreOf<typeof conversationDecider>;
export type AuditStore = StoreOf<typeof auditDecider>;
export type MemoryStore = StoreOf<typeof memoryDecider>;
export type QuarantineStore = StoreOf<typeof quarantineDecider>;
export type ReflectiveLogStore = StoreOf<typeof reflectiveLogDecider>;
export type RouterStore = StoreOf<typeof routerDecider>;
export type ThreadStore = StoreOf<typeof threadDecider>;

const storeOf = <State, Command, Event extends DomainEvent>(
  provide: symbol,
  decider: Decider<State, Command, Event>,
  writeFailure: 'MEMORY_WRITE_FAIL' | 'SEM_WRITE_FAIL' = 'MEMORY_WRITE_FAIL',
): Provider => ({
  provide,
  inject: [EVENT_STORE, SEALS],
  useFactory: (eventStore: EventStore, seals: Seals) =>
    new AggregateStore(eventStore, decider, { writeFailure, seals }),
});

/** One store per decider for the whole process, so that each stream is folded and cached once. */
export const storeProviders: readonly Extract<Provider, { provide: unknown }>[] = [
  storeOf(JOB_STORE, jobDecider),
  {
    provide: SEM_STORE,
    inject: [EVENT_STORE, FactCache, SEALS],
    useFactory: (eventStore: EventStore, cache: FactCache, seals: Seals) =>
      new InvalidatingSemStore(eventStore, cache, seals),
  },
  storeOf(ACTION_REQUEST_STORE, actionRequestDecider),
  storeOf(SESSION_STORE, sessionDecider),
  storeOf(MEMORIES_STORE, memoriesDecider),
  storeOf(NOTE_STORE, noteDecider),
  storeOf(OWNER_STORE, ownerDecider, 'SEM_WRITE_FAIL'),
  storeOf(COMMAND_CLAIM_STORE, commandClaimDecider),
  storeOf(CHECKPOINT_STORE, logCheckpointDecider),
  storeOf(CONSENT_STORE, consentDecider),
  storeOf(CONVERSATION_STORE, conversationDecider),
  storeOf(AUDIT_STORE, auditDecider),
  storeOf(MEMORY_STORE, memoryDecider),
  storeOf(QUARANTINE_STORE, quarantineDecider),
  storeOf(REFLECTIVE_LOG_STORE, reflectiveLogDecider),
  storeOf(ROUTER_STORE, routerDecider),
  storeOf(THREAD_STORE, threadDecider),
] as Extract<Provider, { provide: unknown }>[];
