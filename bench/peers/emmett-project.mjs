// Projections of emmett, each by its own consumer: Pongo's documents, one for each job, and rows by SQL.
import { SQL } from '@event-driven-io/dumbo';
import {
  getPostgreSQLEventStore,
  pongoMultiStreamProjection,
  postgreSQLEventStoreConsumer,
  postgreSQLRawBatchSQLProjection,
} from '@event-driven-io/emmett-postgresql';
import { answer, args } from './answer.mjs';

const { streams, postgresUrl } = args;
const TYPES = [...new Set(streams.flatMap(({ events }) => events.map(({ type }) => type)))];

const store = getPostgreSQLEventStore(postgresUrl);
await store.schema.migrate();
for (const { stream, events } of streams) await store.appendToStream(stream, events);
await store.close();

const documents = pongoMultiStreamProjection({
  collectionName: 'job',
  canHandle: TYPES,
  getDocumentId: ({ metadata }) => metadata.streamName,
  initialState: () => ({ entries: 0, uses: 0, promoted: 0, ticks: 0, ended: false }),
  evolve: (job, { type }) => ({
    ...job,
    entries: job.entries + (type === 'wm_inserted' ? 1 : 0),
    uses: job.uses + (type === 'wm_referenced' ? 1 : 0),
    promoted: job.promoted + (type === 'wm_promoted' ? 1 : 0),
    ticks: job.ticks + (type === 'tick_advanced' ? 1 : 0),
    ended: job.ended || type === 'job_ended',
  }),
});

const rows = postgreSQLRawBatchSQLProjection({
  name: 'entries',
  canHandle: TYPES,
  init: () => SQL`create table if not exists entry (id text primary key, value text)`,
  evolve: (events) =>
    events
      .filter(({ type }) => type === 'wm_inserted')
      .map(
        ({ data }) =>
          SQL`insert into entry values (${data.wm_id}, ${String(data.value)}) on conflict do nothing`,
      ),
});

async function timed(projection, batchSize) {
  const began = performance.now();
  const consumer = postgreSQLEventStoreConsumer({
    connectionString: postgresUrl,
    pulling: { batchSize },
    stopWhen: { noMessagesLeft: true },
  });
  consumer.projector({ processorId: `${projection.name}-${batchSize}`, projection });
  await consumer.start();
  const ms = performance.now() - began;
  await consumer.close();
  return ms;
}

const best = async (projection) =>
  Math.min(await timed(projection, 100), await timed(projection, 1000));
answer({ pongo: await best(documents), sql: await best(rows) });
process.exit(0);
