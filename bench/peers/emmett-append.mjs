import { getPostgreSQLEventStore } from '@event-driven-io/emmett-postgresql';
import { answer, args, bestOf, note, poolOf, timedTurns } from './answer.mjs';

const { count, writers } = args;

const best = await bestOf([10, 32, writers], async (connections) => {
  const pool = poolOf(connections);
  const store = getPostgreSQLEventStore(args.postgresUrl, { connectionOptions: { pool } });
  await store.schema.migrate();
  const append = (index, writer) =>
    store.appendToStream(`job-${connections}-${writer}`, [
      {
        type: 'wm_inserted',
        data: { wm_id: `wm:${writer}:${index}`, type: 'fact', value: note(index) },
      },
    ]);
  await timedTurns(writers * 4, writers, append);
  const ms = await timedTurns(count, writers, append);
  await store.close();
  await pool.end().catch(() => undefined);
  return { count, ms, note: `${connections} connections, its best` };
});
answer(best);
process.exit(0);
