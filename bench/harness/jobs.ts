import { randomUUID } from 'node:crypto';
import { CHAIN_START } from '#domain/determinism/hash-chain.js';
import { resolveConstants } from '#domain/job/constants.js';
import { jobDecider } from '#domain/job/decider.js';
import type { JobCommand } from '#domain/job/commands.js';
import type { CommandIdentity } from '#domain/recorded-event.js';
import { AggregateStore } from '#event-store/aggregate-store.js';
import type { EventStore } from '#event-store/event-store.js';

/** Makes an identity like that of a request without an Idempotency-Key. */
export const nextIdentity = (): CommandIdentity => ({
  command_id: randomUUID(),
  body_hash: CHAIN_START,
  actor: 'bench',
  trace_id: 'bench',
});

export const jobStore = (eventStore: EventStore) =>
  new AggregateStore(eventStore, jobDecider, { writeFailure: 'MEMORY_WRITE_FAIL' });

export const startOf = (seed: string): JobCommand => ({
  op: 'start',
  job_seed: seed,
  owner: { sub: 'bench', user_id: null },
  session_id: null,
  seeded_epoch: null,
  goal: 'measure',
  constants: resolveConstants(),
  snapshots: {
    sem_snapshot_id: `sem:${CHAIN_START}`,
    sem_snapshot_hash: CHAIN_START,
    sem_event_count: 0,
    episodic_snapshot_id: `episodes:${CHAIN_START}`,
    episodic_count: 0,
  },
  carried_cwm: null,
});

export const note = (index: number): string =>
  `observation ${index}: the customer asked to move the reservation to the following week, again`;

export const insertOf = (index: number, ttl = 10_000): JobCommand => ({
  op: 'wm_insert',
  type: 'fact',
  value: note(index),
  ttl_ticks: ttl,
});
