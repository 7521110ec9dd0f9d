import { connectEventStore } from '#event-store/event-store-db.js';
import { Postgres } from '#read-model/postgres.js';
import { ProjectionRunner } from '#read-model/projection-runner.js';
import { BadConfig } from '#platform/config/bad-config.js';
import { READ_MODELS } from '#projections/read-models.js';
import { runProgram, say } from '#platform/start/run.js';

/** The same projections as a process of their own; whichever process holds the lock projects. */
await runProgram(async ({ eventStoreUrl, postgresUrl }, logger) => {
  if (eventStoreUrl === undefined || postgresUrl === undefined)
    throw new BadConfig(
      'The projector works on servers that run elsewhere: set MACE_EVENTSTORE_URL and MACE_POSTGRES_URL.',
    );
  const eventStore = connectEventStore(eventStoreUrl);
  const postgres = new Postgres({ url: postgresUrl });
  const runner = new ProjectionRunner({
    eventStore,
    postgres,
    projections: READ_MODELS,
    log: logger,
  });
  runner.start();
  say(`Projecting ${READ_MODELS.map(({ name }) => name).join(', ')}. Ctrl-C stops it.`);
  return {
    stop: async () => {
      await runner.stop();
      await eventStore.close();
      await postgres.close();
    },
  };
});
