import type { JobCommand, StartJob } from '#domain/job/commands.js';
import { resolveConstants } from '#domain/job/constants.js';
import { jobDecider } from '#domain/job/decider.js';
import type { WmType } from '#domain/job/entry.js';
import type { Json, JsonObject } from '#domain/json.js';
import { givenFor } from './given.js';

/** A seed with a known seeded time: a UUIDv7 of 2025-06-01T00:00:00.000Z. */
export const SEED = '019728c9-c000-7000-8000-000000000001';
export const STREAM = `job-${SEED}`;

export const given = givenFor(jobDecider, STREAM);

/** The id of the nth WM entry, and of the CWM item that it becomes. */
export const wm = (counter: number): string => `wm:${SEED}:${counter}`;
export const item = (counter: number): string => `cwmi:${wm(counter)}`;

export const start = (
  constants: JsonObject = {},
  more: Partial<Omit<StartJob, 'op'>> = {},
): StartJob => ({
  op: 'start',
  job_seed: SEED,
  owner: { sub: 'agent-1', user_id: null },
  session_id: null,
  seeded_epoch: null,
  goal: null,
  constants: resolveConstants(constants),
  snapshots: {
    sem_snapshot_id: 'sem:5e',
    sem_snapshot_hash: '5e',
    sem_event_count: 7,
    episodic_snapshot_id: 'episodes:e9',
    episodic_count: 3,
  },
  carried_cwm: null,
  ...more,
});

export const insert = (value: Json, type: WmType = 'fact', ttl_ticks?: number): JobCommand =>
  ttl_ticks === undefined
    ? { op: 'wm_insert', type, value }
    : { op: 'wm_insert', type, value, ttl_ticks };
export const use = (counter: number): JobCommand => ({ op: 'wm_reference', wm_id: wm(counter) });
export const useItem = (counter: number): JobCommand => ({
  op: 'cwm_reference',
  item_id: item(counter),
});
export const forget = (counter: number): JobCommand => ({ op: 'wm_forget', wm_id: wm(counter) });
export const forgetItem = (counter: number): JobCommand => ({
  op: 'cwm_forget',
  item_id: item(counter),
});
export const tick: JobCommand = { op: 'tick' };
export const ticks = (count: number): JobCommand[] => Array<JobCommand>(count).fill(tick);
export const goal = (text: string): JobCommand => ({ op: 'goal', goal: text });
export const end: JobCommand = { op: 'end' };
export const episode = (summary: string, payload: Json = null): JobCommand => ({
  op: 'episodic_write',
  source: 'agent',
  summary,
  payload,
  evidence: [],
});
