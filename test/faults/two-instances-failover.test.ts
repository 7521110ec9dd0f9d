import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { JobCommand } from '#domain/job/commands.js';
import { jobDecider } from '#domain/job/decider.js';
import { type JobState } from '#domain/job/state.js';
import type { JobEvent } from '#domain/job/events.js';
import { Refusal } from '#domain/errors/refusal.js';
import { jobStream } from '#domain/stream-names.js';
import { AggregateStore, type Executed } from '#event-store/aggregate-store.js';
import { connectEventStore } from '#event-store/event-store-db.js';
import { EventStoreUnavailable, type EventStore } from '#event-store/event-store.js';
import { chained, identity } from '#test/contract/aggregate-store-counter.js';
import { insert, start } from '#test/domain/job-cases.js';
import { type Cluster, startCluster } from '#test/support/cluster.js';
import { startOwnEventStore, type TestServer } from '#test/support/servers.js';

/** The number of references; `MACE_TEST_REFERENCES=10000` makes a long run. */
const REFERENCES = Number(process.env['MACE_TEST_REFERENCES'] ?? 2_000);
const JOBS = 50;
/** A failover begins after this many references. */
const PER_FAILOVER = REFERENCES / 20;

type Jobs = AggregateStore<JobState, JobCommand, JobEvent>;

/** Sends a command as a runtime does: after an outage, again under the same identity. */
async function sent(jobs: Jobs, stream: string, command: JobCommand): Promise<Executed<JobState>> {
  const caller = identity();
  for (;;) {
    try {
      return await jobs.execute(stream, [command], caller);
    } catch (cause) {
      const isOutage = cause instanceof Refusal && cause.code === 'MEMORY_WRITE_FAIL';
      if (!isOutage && !(cause instanceof EventStoreUnavailable)) throw cause;
    }
  }
}

describe('Two instances during failovers', () => {
  let node: TestServer;
  let cluster: Cluster;
  const connections: EventStore[] = [];

  beforeAll(async () => {
    node = await startOwnEventStore();
    cluster = await startCluster(node.url);
  });
  afterAll(async () => {
    await Promise.all(connections.map((connection) => connection.close()));
    await cluster?.stop();
    await node?.stop();
  });

  const newInstance = (): Jobs => {
    const connection = connectEventStore(cluster.url);
    connections.push(connection);
    return new AggregateStore(connection, jobDecider, { writeFailure: 'MEMORY_WRITE_FAIL' });
  };

  it('a reference through one instance always finds the entry that the other one has just acknowledged', async () => {
    const instances = [newInstance(), newInstance()] as const;
    let references = 0;
    let isOver = false;
    const work = async (job: number): Promise<void> => {
      const job_seed = `two-${job}`;
      const stream = jobStream(job_seed);
      await sent(instances[job % 2]!, stream, start({}, { job_seed }));
      for (let turn = job; references < REFERENCES; turn += 1) {
        const [inserter, referrer] = turn % 2 === 0 ? instances : [instances[1], instances[0]];
        const { results } = await sent(inserter, stream, insert('seen', 'hint'));
        const { wm_id } = results[0] as { wm_id: string };
        const { after } = await sent(referrer, stream, { op: 'wm_reference', wm_id });
        expect(after.state.wm.find((entry) => entry.wm_id === wm_id)?.references).toBe(1);
        references += 1;
      }
    };
    const failovers = async (): Promise<number> => {
      for (let count = 0; ; count += 1) {
        while (references < (count + 1) * PER_FAILOVER && !isOver)
          await new Promise((resolve) => setTimeout(resolve, 20));
        if (isOver) return count;
        if (count % 2 === 0) cluster.demoteLeader();
        else await cluster.killLeader(100, 300);
      }
    };
    const disturbed = failovers();
    await Promise.all(Array.from({ length: JOBS }, (_, job) => work(job)));
    isOver = true;
    expect(await disturbed).toBeGreaterThan(10);
    expect(cluster.asksWithoutLeader).toBe(0);
    // Every acknowledged command is in the log once, in an unbroken chain.
    const log = connectEventStore(node.url);
    connections.push(log);
    let recorded = 0;
    for (let job = 0; job < JOBS; job += 1) {
      const events = await chained(log, jobStream(`two-${job}`));
      recorded += events.filter(({ type }) => type === 'wm_referenced').length;
    }
    expect(recorded).toBe(references);
  }, 180_000);
});
