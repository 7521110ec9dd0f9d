import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { JsonObject } from '#domain/json.js';
import { memoryDecider } from '#domain/memory-contract/memory.decider.js';
import { replayStream } from '#domain/replay/stream-replay.js';
import { connectEventStore } from '#event-store/event-store-db.js';
import type { EventStore, LoggedEvent } from '#event-store/event-store.js';
import { Postgres } from '#read-model/postgres.js';
import { Caller } from '#test/support/caller.js';
import { startOwnEventStore, startTestPostgres } from '#test/support/servers.js';
import { TestService } from '#test/support/service.js';
import { Deployment } from './support/deployment.js';
import { streamsOf } from './support/log.js';
import { assertRowsAreTheFold, settled } from './support/read-models.js';
import { until } from './support/until.js';
import { ensure } from '#test/support/ensure.js';

/** An interaction that promotes two items to the space of its user, and asks for a phase diff. */
const promotion = (name: string): JsonObject => ({
  assistant: 'helper',
  session_id: `s-${name}`,
  user_id: `u-${name}`,
  memory: { short_term: 20, semantic: true, profile: true },
  user_text: 'My name is Ada, remember this for me.',
  ai_text: 'Noted.',
  phase_diff: { from: 'phase-1', to: 'phase-1', space: 'user' },
});

const record = async (caller: Caller, name: string): Promise<unknown> =>
  (await caller.did('POST', 'memory/interactions', { body: promotion(name), key: name })).body;

type Streams = ReadonlyMap<string, readonly LoggedEvent[]>;

/**
 * Returns the stream and the number of events to keep: those before the first event of the type, plus
 * `more`.
 */
function upTo(streams: Streams, stream: string, type: string, more = 0): [string, number] {
  const index = streams.get(stream)?.findIndex((event) => event.type === type) ?? -1;
  expect(index).toBeGreaterThanOrEqual(0);
  return [stream, index + more];
}

/** For each step at which the crash cuts the log: how many events of each stream are kept. */
const CUTS: Readonly<Record<string, (whole: Streams, name: string) => [string, number][]>> = {
  'after the session asked': (whole, name) => [
    upTo(whole, `memory-session:s-${name}`, 'promotion_requested', 1),
    [`memory-user:u-${name}`, 0],
  ],
  'after the target answered': (whole, name) => [
    upTo(whole, `memory-session:s-${name}`, 'promotion_requested', 1),
  ],
};
const NAMES = Object.keys(CUTS).flatMap((_, index) =>
  ['worker', 'retry', 'both'].map((finisher) => `${finisher}-${index}`),
);

async function copyCut(
  whole: Streams,
  to: EventStore,
  kept: ReadonlyMap<string, number>,
): Promise<void> {
  const events = [...whole.values()].flat();
  events.sort((left, right) => Number(left.position - right.position));
  for (const { stream, number, id, type, data, metadata } of events) {
    if (number >= (kept.get(stream) ?? Infinity)) continue;
    await to.append(stream, number === 0 ? 'no_stream' : number - 1, [
      { id, type, data, metadata },
    ]);
  }
}

/** The part of an event that must not depend on which process finishes the promotion, or when. */
const contentOf = ({ stream, number, type, data, metadata }: LoggedEvent) => {
  const { event_id, seeded_ts, kind, command_id, body_hash, actor } = metadata;
  return { stream, number, type, data, event_id, seeded_ts, kind, command_id, body_hash, actor };
};

test('a promotion that a crash interrupts, at any step, is finished exactly once, by a worker or by a retry (SPEC M12)', async () => {
  const [whole, cut, postgres] = await Promise.all([
    startOwnEventStore(),
    startOwnEventStore(),
    startTestPostgres(),
  ]);
  const [wholeLog, cutLog] = [connectEventStore(whole.url), connectEventStore(cut.url)];
  const rows = new Postgres({ url: postgres.url, maxConnections: 2 });
  const first = await TestService.start({
    servers: { eventStore: whole, postgres: await startTestPostgres() },
  });
  const answers = new Map<string, unknown>();
  const caller = await Caller.of(first, 'agent');
  for (const name of NAMES) answers.set(name, await record(caller, name));
  await first.stop();
  const finished = await streamsOf(wholeLog);
  const cuts = Object.values(CUTS);
  await copyCut(
    finished,
    cutLog,
    new Map(NAMES.flatMap((name) => cuts[Number(name.slice(-1))]?.(finished, name) ?? [])),
  );
  const servers = { eventStore: cut, postgres };
  const services = await Promise.all([
    TestService.start({ servers }),
    TestService.start({ servers }),
  ]);
  try {
    const [one, two] = await Promise.all(services.map((each) => Caller.of(each, 'agent')));
    ensure(one !== undefined && two !== undefined);
    const retried = NAMES.filter((name) => !name.startsWith('worker'));
    // Both services finish the promotions at the same time; with `both`, two callers also retry at the
    // same time.
    await Promise.all([
      ...retried.map(async (name) =>
        expect(await record(one, name)).toStrictEqual(answers.get(name)),
      ),
      ...retried
        .filter((name) => name.startsWith('both'))
        .map(async (name) => expect(await record(two, name)).toStrictEqual(answers.get(name))),
    ]);
    await settled(cutLog, rows);
    for (const name of NAMES)
      expect([name, await record(two, name)]).toStrictEqual([name, answers.get(name)]);

    const recovered = await streamsOf(cutLog);
    expect([...recovered.keys()].sort()).toStrictEqual([...finished.keys()].sort());
    for (const [stream, events] of finished)
      expect([stream, recovered.get(stream)?.map(contentOf)]).toStrictEqual([
        stream,
        events.map(contentOf),
      ]);
    await assertRowsAreTheFold(cutLog, rows, postgres.url);
  } finally {
    await rows.close();
    await Promise.all(services.map((service) => service.stop()));
    await Promise.all([wholeLog.close(), cutLog.close()]);
    await Promise.all([whole.stop(), cut.stop(), postgres.stop()]);
  }
});

let deployment: Deployment;
beforeAll(async () => {
  deployment = await Deployment.start();
});
afterAll(() => deployment?.stop());

test('after kill -9 of the service during promotions, each promotion is done once, and all its retries get one answer (SPEC M12, I7)', async () => {
  const { log, rows, postgres } = deployment;
  const service = await deployment.service();
  const caller = await Caller.of(service, 'agent');
  await record(caller, 'warm-up');
  const names: string[] = [];
  // One kill for each step that can be seen in the log.
  for (const [round, type] of [
    'promotion_requested',
    'promotion_settled',
    'interaction_finished',
  ].entries()) {
    const batch = Array.from({ length: 8 }, (_, index) => `r${round}-${index}`);
    names.push(...batch);
    const after_ = await log.lastPosition();
    const seen = new Promise<void>((resolve) => {
      const subscription = log.subscribe({
        after: after_,
        onEvents: async (events) => {
          if (!events.some((event) => event.type === type)) return;
          resolve();
          void subscription.stop();
        },
      });
    });
    const sent = batch.map((name) => record(caller, name).catch(() => undefined));
    await seen;
    await service.kill();
    await Promise.all(sent);
    await service.restart();
  }
  const answers = await Promise.all(names.map((name) => record(caller, name)));
  await settled(log, rows);
  const again = await Promise.all(names.map((name) => record(caller, name)));
  expect(again).toStrictEqual(answers);

  const streams = await streamsOf(log);
  for (const name of names) {
    const session = streams.get(`memory-session:s-${name}`) ?? [];
    const user = streams.get(`memory-user:u-${name}`) ?? [];
    const count = (events: readonly LoggedEvent[], type: string) =>
      events.filter((event) => event.type === type).length;
    expect([name, count(session, 'interaction_recorded')]).toStrictEqual([name, 1]);
    expect([name, count(session, 'interaction_finished')]).toStrictEqual([name, 1]);
    expect([name, count(session, 'memory_promoted')]).toStrictEqual([name, 2]);
    expect([name, count(user, 'promotion_received')]).toStrictEqual([name, 1]);
    expect([name, count(user, 'item_stored')]).toStrictEqual([name, 2]);
  }
  for (const [stream, events] of streams)
    if (stream.startsWith('memory-'))
      expect([
        stream,
        (await replayStream(memoryDecider, stream, events, 'strict')).identical,
      ]).toStrictEqual([stream, true]);
  await assertRowsAreTheFold(log, rows, postgres.url);
  await until('no obligation is left', async () => {
    const open = await rows.query('select 1 from obligations.obligation');
    return open.length === 0;
  });
});
