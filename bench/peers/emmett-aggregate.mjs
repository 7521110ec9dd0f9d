import { getPostgreSQLEventStore } from '@event-driven-io/emmett-postgresql';
import { evolveJob, initialJob } from '../../dist/libs/domain/job/state.js';
import { answer, args } from './answer.mjs';

const store = getPostgreSQLEventStore(args.postgresUrl);
await store.schema.migrate();
const events = args.events.map((line) => JSON.parse(line));
for (let at = 0; at < events.length; at += 500) {
  await store.appendToStream(
    args.stream,
    events.slice(at, at + 500).map(({ type, data, metadata }) => ({ type, data, metadata })),
  );
}
let ms = Infinity;
for (let round = 0; round < args.rounds; round += 1) {
  const began = performance.now();
  await store.aggregateStream(args.stream, {
    initialState: () => initialJob(args.stream),
    evolve: evolveJob,
  });
  ms = Math.min(ms, performance.now() - began);
}
answer({ count: events.length, ms });
process.exit(0);
