import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { sha256Hex } from '#domain/determinism/hash.js';
import type { ReflectiveFields } from '#domain/reflective-log/fields.js';
import type { TestServer } from './servers.js';

/** A log as an agent posts it, with every immutable field; each call another one. */
export const aLog = (changes: Partial<ReflectiveFields> = {}): ReflectiveFields => ({
  log_id: randomUUID(),
  created_at: '2026-11-22T10:00:00.000Z',
  source: 'user_request',
  query_id: randomUUID(),
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
  final_answer: 'Paris, “la Ville Lumière” – 1/3 ≠ 0.1 + 0.2.',
  final_confidence: 0.1 + 0.2,
  repair_loops: 0,
  cache_hit: false,
  sem_snapshot_hash: sha256Hex('facts'),
  runtime_metrics: { total_time_ms: 512.25, tokens_used: 120 },
  system_version: 'mace-0.1.0',
  job_seed: `elsewhere-${randomUUID()}`,
  stream_head_hash: sha256Hex('head'),
  episodic_snapshot_id: `episodes:${sha256Hex('episodes')}`,
  brainstate_snapshot_id: `brainstate:${sha256Hex('brainstate')}`,
  evidence: [{ kind: 'sem_get', ids: ['world/fact/france/capital'] }],
  redactions: [],
  ...changes,
});

/** Somebody with a superuser's SQL, past the service. */
export async function bySuperuser<Row extends object>(
  { url }: TestServer,
  sql: string,
  values: readonly unknown[] = [],
): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(sql, [...values])).rows;
  } finally {
    await client.end();
  }
}
