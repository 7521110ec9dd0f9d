import { randomUUID } from 'node:crypto';
import pg from 'pg';
import type { ReflectiveFields } from '#domain/reflective-log/fields.js';
import { FIELDS } from '#test/domain/reflective-cases.js';
import type { TestServer } from './servers.js';

/** A ReflectiveLog as an agent posts it, with every immutable field. Each call returns new ids. */
export const aLog = (changes: Partial<ReflectiveFields> = {}): ReflectiveFields => ({
  ...FIELDS,
  log_id: randomUUID(),
  query_id: randomUUID(),
  job_seed: `elsewhere-${randomUUID()}`,
  final_answer: 'Paris, “la Ville Lumière” – 1/3 ≠ 0.1 + 0.2.',
  final_confidence: 0.1 + 0.2,
  repair_loops: 0,
  runtime_metrics: { total_time_ms: 512.25, tokens_used: 120 },
  ...changes,
});

/** Runs SQL as the superuser, bypassing the service; returns the rows. */
export async function queryAsSuperuser<Row extends object>(
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
