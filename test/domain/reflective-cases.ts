import { sha256Hex } from '#domain/determinism/hash.js';
import type { LogContent } from '#domain/reflective-log/content.js';
import type { LogWritten } from '#domain/reflective-log/events.js';
import type { ReflectiveFields } from '#domain/reflective-log/fields.js';
import { keyringOf, signLog } from '#domain/reflective-log/signature.js';

export const LOG_ID = '5e0a1c3e-8f2b-4d6a-9c7e-1b2a3c4d5e6f';

/** A ReflectiveLog that a runtime may send with its job's end. */
export const CONTENT: LogContent = {
  source: 'user_request',
  query_id: 'q-1',
  query_text_hash: sha256Hex('What is the capital of France?'),
  qcp_summary: { depth_level: 1, intent_tags: ['fact'], urgency: 'low' },
  agents_invoked: ['logic_v1', 'creative_v2'],
  agent_outputs: [
    {
      agent_id: 'logic_v1',
      text: 'Paris.',
      confidence: 0.91,
      reasoning_trace: ['step1', 'step2'],
      tokens: 120,
      time_ms: 470,
    },
  ],
  council_votes: [
    {
      council_agent_id: 'council_eval_v1',
      scores: { factuality: 0.92, coherence: 0.88, safety: 0.99 },
      approve: true,
      suggested_changes: 'Shorten intro',
      note: 'missing numeric check',
    },
  ],
  final_answer: 'Paris.',
  final_confidence: 0.8999999999999999,
  repair_loops: 1,
  cache_hit: false,
  runtime_metrics: { total_time_ms: 512, per_agent_time_ms: { logic_v1: 470 }, tokens_used: 120 },
  system_version: 'mace-0.1.0',
  redactions: [],
};

/** Every immutable field of a posted log. */
export const FIELDS: ReflectiveFields = {
  ...CONTENT,
  system_version: 'mace-0.1.0',
  log_id: LOG_ID,
  created_at: '2026-11-22T10:00:00.000Z',
  sem_snapshot_hash: sha256Hex('facts'),
  job_seed: 'run-1',
  stream_head_hash: sha256Hex('head'),
  episodic_snapshot_id: `episodes:${sha256Hex('episodes')}`,
  brainstate_snapshot_id: `brainstate:${sha256Hex('brainstate')}`,
  evidence: [{ kind: 'sem_get', ids: ['world/fact/france/capital'] }],
};

export const OLD_KEY = 'old-key:Zx81mQp0TtYw5kVbN3rLd6sHfJc2Gae7';
export const KEY = 'new-key:Qw73nRo9UuXv4jCaM2tKe5gHdLs1Fbz8';
export const KEYRING = keyringOf(KEY, [OLD_KEY]);

export const WRITTEN: LogWritten = {
  log: FIELDS,
  signature: signLog(FIELDS, KEYRING),
  owner: { sub: 'agent-1', user_id: null },
  origin: 'posted',
};
