import type { EventMetadata } from '#domain/recorded-event.js';
import { FACT, type FactRow } from '#projections/sem/tables.js';
import { Postgres } from '#read-model/postgres.js';
import { TEST_MACS } from './product-projections.js';
import type { TestServer } from './servers.js';

interface ShownEvent {
  readonly stream: string;
  readonly number: number;
  readonly event_hash: string;
}

/**
 * Changes the row of a fact and gives it its MAC, as a faulty release of the service could. The row then differs
 * from its history.
 */
export async function writeAnotherValue(
  { url }: TestServer,
  key: string,
  change: Partial<FactRow>,
): Promise<void> {
  const postgres = new Postgres({ url, maxConnections: 1, macs: TEST_MACS });
  try {
    await postgres.transaction((tx) =>
      tx.within('sem', async (tables) => {
        const [known] = await FACT.find(tables, 'key = $1', [key]);
        const [event] = await tables.query<ShownEvent>('select * from fact where key = $1', [key]);
        if (known === undefined || event === undefined) throw new Error(`${key} has no row`);
        const { stream, number, event_hash: hash } = event;
        const metadata = { hash } as EventMetadata;
        const row = { ...known, ...change };
        await tables.query('delete from fact where key = $1', [key]);
        await FACT.insert(tables, [{ row, event: { stream, number, id: '', metadata } }]);
      }),
    );
  } finally {
    await postgres.close();
  }
}
