import type { EventMetadata } from '#domain/recorded-event.js';
import { FACT, type FactRow } from '#projections/sem/tables.js';
import { TEST_SEALS } from './product-projections.js';
import { queryAsSuperuser } from './reflective-logs.js';
import type { TestServer } from './servers.js';

type StoredFact = FactRow & {
  readonly stream: string;
  readonly number: number;
  readonly event_hash: string;
};

/**
 * Changes the row of a fact and seals it again, as a faulty release of the service could. The row then differs
 * from its history.
 */
export async function writeAnotherValue(
  postgres: TestServer,
  key: string,
  change: Partial<FactRow>,
): Promise<void> {
  const [found] = await queryAsSuperuser<StoredFact>(
    postgres,
    'select * from sem.fact where key = $1',
    [key],
  );
  if (found === undefined) throw new Error(`${key} has no row`);
  const { stream, number, event_hash: hash } = found;
  const [own] = FACT.unchecked([found]);
  const event = { stream, number, id: '', metadata: { hash } as EventMetadata };
  const row = FACT.stored(TEST_SEALS, { row: { ...own, ...change } as FactRow, event });
  await queryAsSuperuser(
    postgres,
    `with one as (select * from json_populate_record(null::sem.fact, $1::json))
     update sem.fact set held = one.held, timestamp = one.timestamp, seal = one.seal
     from one where fact.key = one.key`,
    [JSON.stringify(row)],
  );
}
