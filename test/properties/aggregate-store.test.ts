import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connectEventStore } from '#event-store/event-store-db.js';
import type { EventStore } from '#event-store/event-store.js';
import {
  add,
  chained,
  counters,
  identity,
  newStream,
} from '#test/contract/aggregate-store-counter.js';
import { startTestEventStore } from '#test/support/servers.js';
import fc from 'fast-check';
import { tries } from '#test/support/tries.js';

let stopServer: () => Promise<void>;
let log: EventStore;

beforeAll(async () => {
  const server = await startTestEventStore();
  stopServer = () => server.stop();
  log = connectEventStore(server.url);
});
afterAll(async () => {
  await log.close();
  await stopServer();
});

/** Says which process sends which command, and for how many answers it waits before the next command. */
const sending = fc.record({
  process: fc.constantFrom(0, 1),
  command: fc.nat(11),
  waits: fc.boolean(),
});

describe('Commands of two processes in any order', () => {
  it('two processes that send commands in any order write each command exactly once; retries get the same answer and the chain verifies', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(sending, { minLength: 1, maxLength: 25 }), async (sendings) => {
        const stream = newStream();
        const stores = [counters(log), counters(log)];
        const sent = new Map<number, Promise<unknown>[]>();
        for (const { process, command, waits } of sendings) {
          const answer = stores[process]!.execute(
            stream,
            [add(command + 1), add(command + 1)],
            identity(`command-${command}`, `body of ${command}`),
          ).then(({ results, version }) => ({ results, version }));
          sent.set(command, [...(sent.get(command) ?? []), answer]);
          if (waits) await answer;
        }
        for (const answers of sent.values()) {
          const [first, ...others] = await Promise.all(answers);
          for (const other of others) expect(other).toStrictEqual(first);
        }
        const inputs = (await chained(log, stream)).filter(({ type }) => type === 'added');
        for (const command of sent.keys()) {
          const made = inputs.filter((event) => event.metadata.command_id === `command-${command}`);
          expect(made).toHaveLength(2);
        }
        expect(inputs).toHaveLength(2 * sent.size);
        const total = inputs.reduce((sum, { data }) => sum + Number(data.by), 0);
        for (const store of stores) expect((await store.load(stream)).state.total).toBe(total);
      }),
      { numRuns: tries(40) },
    );
  });
});
