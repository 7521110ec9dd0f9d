import type { ActionRequestEvent } from '#domain/action-request/events.js';
import type { EpisodeData, JobEvent } from '#domain/job/events.js';
import type { SemEvent } from '#domain/sem/events.js';
import type { EventStore } from '#event-store/event-store.js';
import { append } from './read-model-world.js';

const at = '2026-01-01T00:00:00.000Z';
const owner = { sub: 'agent-1', user_id: 'u1' };

const appendTyped = (
  eventStore: EventStore,
  stream: string,
  events: readonly (JobEvent | SemEvent | ActionRequestEvent)[],
): Promise<bigint> => append(eventStore, stream, events);

const episode = (seed: string, name: string): EpisodeData => ({
  episodic_id: `ep:${seed}:${name}`,
  job_seed: seed,
  owner,
  source: 'agent',
  summary: `What ${name} saw, and saw again`,
  evidence: [{ key: 'world/fact/a/x' }],
  payload: { name },
  created_seeded_ts: at,
  reflective_log_id: null,
});

const started = (seed: string): JobEvent => ({
  type: 'job_started',
  data: {
    job_seed: seed,
    owner,
    session_id: 'session-1',
    seeded_epoch: null,
    goal: 'find out',
    constants: {
      promotion_references: 2,
      promotion_window: 4,
      wm_default_ttl_ticks: 3,
      cwm_ttl_ticks: 10,
      cwm_token_budget: 512,
      agent_timeout_ms: 5000,
      max_repair_loops: 3,
      min_confidence: 0.5,
      council_threshold: 0.6,
      auto_tie_break: false,
      council_weights: {},
      router_toggles: {},
      privacy_rule_set_version: '0',
    },
    snapshots: {
      sem_snapshot_id: `sem:${seed}`,
      sem_snapshot_hash: seed,
      sem_event_count: 1,
      episodic_snapshot_id: 'episodes:0',
      episodic_count: 0,
      brainstate_snapshot_id: 'brainstate:0',
    },
    carried_cwm: null,
  },
});

/**
 * Appends an ended job that has a promoted entry, an expired entry, a read, a new goal and two episodes.
 */
export const appendJob = (eventStore: EventStore, seed: string): Promise<bigint> => {
  const insert = (wm_id: string): JobEvent => ({
    type: 'wm_inserted',
    data: { wm_id, type: 'fact', value: 1, created_at_tick: 0, ttl_ticks: 1 },
  });
  return appendTyped(eventStore, `job-${seed}`, [
    started(seed),
    insert('wm:1'),
    insert('wm:2'),
    { type: 'wm_referenced', data: { wm_id: 'wm:1', tick: 0 } },
    { type: 'wm_referenced', data: { wm_id: 'wm:1', tick: 0 } },
    { type: 'ticked', data: { tick: 1 } },
    { type: 'promotion_event', data: { wm_id: 'wm:1', item_id: 'cwmi:wm:1', tick: 1 } },
    { type: 'wm_expired', data: { wm_id: 'wm:2', tick: 1 } },
    { type: 'goal_set', data: { goal: 'find more', tick: 1 } },
    {
      type: 'memory_read',
      data: { kind: 'sem_get', tick: 1, ids: ['world/fact/a/x'], sem_snapshot_hash: seed },
    },
    { type: 'episode_written', data: episode(seed, 'written') },
    { type: 'job_ended', data: { tick: 1, reflective_log_id: 'log' } },
    { type: 'episodic_summary', data: episode(seed, 'summary') },
  ]);
};

/** Appends a fact that is claimed, put, put again too late and, if `deleted`, deleted. */
export const appendFact = (eventStore: EventStore, key: string, deleted: boolean) => {
  const write = { key, timestamp: at, source: 'user', superseded: false };
  const put = { ...write, value: { a: [1, 'two'] }, notes: null, meta: { trust: 1 } };
  return appendTyped(eventStore, `sem-${key}`, [
    { type: 'key_claimed', data: { title: 'title', key } },
    { type: 'fact_put', data: put },
    { type: 'fact_put', data: { ...put, value: 'late', superseded: true } },
    ...(deleted ? [{ type: 'fact_deleted' as const, data: write }] : []),
  ]);
};

/** Appends an action request that was approved and executed. */
export const appendRequest = (eventStore: EventStore, id: string): Promise<bigint> =>
  appendTyped(eventStore, `request-${id}`, [
    {
      type: 'action_requested',
      data: {
        request_id: id,
        kind: 'sem_put',
        episodic_id: 'ep:1',
        target_sem_key: 'world/fact/a/x',
        value: [true, null],
        justification: 'because',
        evidence: [],
        proposer: owner,
        made_for: null,
        source: 'agent:agent-1',
        requested_at: at,
        expires_at: '2026-01-08T00:00:00.000Z',
        quorum: 1,
        proposal_hash: 'hash',
      },
    },
    { type: 'episode_written', data: episode(`request-${id}`, 'request') },
    {
      type: 'vote_cast',
      data: {
        voter: { sub: 'council-1', user_id: null },
        vote: 'approve',
        reason: 'fine',
        proposal_hash: 'hash',
        at,
      },
    },
    { type: 'request_approved', data: { at } },
    { type: 'request_executed', data: { sem_stream: 'sem-world/fact/a/x', sem_event_number: 3 } },
  ]);
