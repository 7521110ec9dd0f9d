import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EventStoreDBClient } from '@eventstore/db-client';
import { generateKeyPairSync } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readCheckpoint } from '#checkpoints/checkpoint-file.js';
import type { LogFinding } from '#checkpoints/compare-log.js';
import { CHAIN_START, chainHash } from '#domain/determinism/hash-chain.js';
import { appendedId, eventId } from '#domain/determinism/ids.js';
import { connectEventStore } from '#event-store/event-store-db.js';
import type { EventStore, LoggedEvent } from '#event-store/event-store.js';
import { wholeLog } from '#event-store/whole-log.js';
import { mace } from '#test/support/cli-run.js';
import { Caller } from '#test/support/caller.js';
import { ensure } from '#test/support/ensure.js';
import { startOwnEventStore, type TestServer } from '#test/support/servers.js';
import { TestService } from '#test/support/service.js';
import { TEST_KEYS } from '#test/support/test-keys.js';
import { temporaryFolder } from '#test/support/temporary-folder.js';

const SKY = 'sem-world/fact/sky/value';
const { MACE_BUNDLE_KEY } = TEST_KEYS;

/** Returns the events without their JSON texts, which would be appended in place of what a forger changes. */
async function eventsOf(store: EventStore): Promise<LoggedEvent[]> {
  const events: LoggedEvent[] = [];
  for await (const page of wholeLog(store, await store.lastPosition()))
    events.push(...page.map((event) => ({ ...event, json: undefined })));
  return events;
}

/** Returns the log with numbers, ids and hashes computed anew, as a forger who knows the format makes them. */
function rehashed(log: readonly LoggedEvent[]): LoggedEvent[] {
  const ends = new Map<string, { readonly number: number; readonly hash: string }>();
  return log.map((event) => {
    const { stream, type, metadata } = event;
    const last = ends.get(stream) ?? { number: -1, hash: CHAIN_START };
    const number = last.number + 1;
    const event_id = eventId(stream, number, type);
    const id = appendedId(event_id, metadata.command_id);
    const unhashed = { ...event, number, id, metadata: { ...metadata, event_id, hash: '' } };
    const hash = chainHash(last.hash, unhashed);
    ends.set(stream, { number, hash });
    return { ...unhashed, metadata: { ...unhashed.metadata, hash } };
  });
}

const byProblem = ({ problem: left }: LogFinding, { problem: right }: LogFinding): number =>
  left < right ? -1 : 1;

describe('Somebody who can write the whole log anew', () => {
  const folder = temporaryFolder('log-checkpoint');
  const at = (name: string): string => join(folder.path, name);
  const file = at('log.checkpoint');
  const keys = at('keys.json');
  let service: TestService;
  let honest: readonly LoggedEvent[];
  let position: bigint | undefined;
  const stores: TestServer[] = [];

  const checkpoint = (out: string, url = service.eventStore.url) =>
    mace(['checkpoint', '--out', out, '--event-store', url], { MACE_BUNDLE_KEY });

  async function verify(url: string, ...options: string[]) {
    const { code, stdout, stderr } = await mace(
      ['verify', '--log', '--event-store', url, '--json', ...options],
      {},
    );
    if (stdout === '') throw new Error(stderr);
    const { findings } = JSON.parse(stdout) as { findings: LogFinding[] };
    return { code, findings };
  }

  async function write(text: string): Promise<void> {
    const admin = await Caller.of(service, 'admin');
    const agent = await Caller.of(service, 'agent');
    for (const value of [text, 'azure'])
      await admin.did('PUT', 'sem/world/fact/sky/value', { body: { value } });
    const job = await agent.post('jobs', { goal: 'to know' });
    await agent.post(`jobs/${String(job['job_seed'])}/wm`, { type: 'fact', value: 'sky' });
    for (const name of ['sun', 'last'])
      await admin.did('PUT', `sem/world/fact/${name}/value`, { body: { value: text } });
  }

  /** Returns the URL of an event store with these events. */
  async function storeOf(log: readonly LoggedEvent[]): Promise<string> {
    const server = await startOwnEventStore();
    stores.push(server);
    const store = connectEventStore(server.url);
    for (const event of log)
      await store.append(event.stream, event.number === 0 ? 'no_stream' : event.number - 1, [
        event,
      ]);
    await store.close();
    return server.url;
  }

  beforeAll(async () => {
    service = await TestService.start({ ownLog: true });
    await write('cerulean');
    const log = connectEventStore(service.eventStore.url);
    honest = await eventsOf(log);
    position = await log.lastPosition();
    await log.close();
    const { body } = await service.call<object>('GET', '/.well-known/jwks.json');
    writeFileSync(keys, JSON.stringify(body));
  });
  afterAll(async () => {
    await service.stop();
    for (const store of stores) await store.stop();
    folder.remove();
  });

  it('I6 `mace checkpoint` signs the head of every stream, and never overwrites a file', async () => {
    const { code, stdout } = await checkpoint(file);
    expect([code, stdout]).toStrictEqual([0, expect.stringMatching(/^signed {2}\d+ streams with/)]);
    const [header = '', ...heads] = readFileSync(file, 'utf8').trimEnd().split('\n');
    const streams = new Set(honest.map(({ stream }) => stream));
    expect(JSON.parse(header)).toMatchObject({
      ...{ kind: 'log_checkpoint', version: 1, streams: streams.size, events: honest.length },
      position: String(position),
    });
    expect(heads).toHaveLength(streams.size);
    const last = honest.filter(({ stream }) => stream === SKY).at(-1);
    ensure(last);
    const { number, metadata } = last;
    expect(heads.map((line) => JSON.parse(line) as object)).toContainEqual({
      ...{ stream: SKY, number, hash: metadata.hash },
    });
    const again = await checkpoint(file);
    expect([again.code, again.stderr]).toStrictEqual([2, expect.stringMatching(/exists already/)]);
  });

  it('a log that only grew, and its copy on another server, have no findings', async () => {
    await write('grown');
    const { url } = service.eventStore;
    expect(await verify(url, '--since', file)).toStrictEqual({ code: 0, findings: [] });
    const empty = await storeOf([]);
    expect((await mace(['copy-log', '--from', url, '--to', empty])).code).toBe(0);
    expect(await verify(empty, '--since', file)).toStrictEqual({ code: 0, findings: [] });
  });

  it('says whether the signer of the checkpoint is pinned, and refuses another one', async () => {
    const since = (...options: string[]) =>
      mace([
        ...['verify', '--log', '--event-store', service.eventStore.url, '--since', file],
        ...options,
      ]);
    const unpinned = await since();
    expect([unpinned.code, unpinned.stdout]).toStrictEqual([
      0,
      expect.stringMatching(/no findings\ncompared with the checkpoint of .*signer not pinned\n$/s),
    ]);
    const pinned = await since('--key', keys);
    expect([pinned.code, pinned.stdout]).toStrictEqual([
      0,
      expect.stringMatching(/a given key\n$/),
    ]);
    const other = generateKeyPairSync('ed25519').publicKey.export({ type: 'spki', format: 'pem' });
    writeFileSync(at('other.pem'), other);
    const refused = await since('--key', at('other.pem'));
    expect([refused.code, refused.stderr]).toStrictEqual([
      1,
      expect.stringMatching(/BROKEN[^]*not among the given ones/),
    ]);
  });

  it('cannot change a byte of the checkpoint, nor cut or lengthen it', async () => {
    const bytes = readFileSync(file);
    const edited = at('edited.checkpoint');
    const isBroken = async (content: Buffer): Promise<boolean> => {
      writeFileSync(edited, content);
      return 'problem' in (await readCheckpoint(edited));
    };
    for (let index = 0; index < bytes.length; index += 1) {
      const flipped = Buffer.from(bytes);
      flipped[index]! ^= 1 << (index % 8);
      expect([index, await isBroken(flipped)]).toStrictEqual([index, true]);
    }
    for (const content of [
      ...[bytes.subarray(0, -1), bytes.subarray(0, bytes.indexOf('\n') + 1), Buffer.alloc(0)],
      ...[Buffer.concat([bytes, Buffer.from('\n')]), Buffer.concat([bytes, bytes])],
    ])
      expect(await isBroken(content)).toBe(true);
    const { code, stderr } = await mace(
      ['verify', '--log', '--event-store', service.eventStore.url, '--since', edited],
      {},
    );
    expect([code, stderr]).toStrictEqual([1, expect.stringMatching(/BROKEN/)]);
  });

  it('is found when every hash fits: `verify --log` passes, and `--since` names each changed stream', async () => {
    const rewritten = rehashed(
      honest.map((event) =>
        event.stream === SKY || event.stream.startsWith('job-')
          ? { ...event, metadata: { ...event.metadata, actor: 'somebody else' } }
          : event,
      ),
    );
    const url = await storeOf(rewritten);
    expect(await verify(url)).toStrictEqual({ code: 0, findings: [] });
    const { code, findings } = await verify(url, '--since', file);
    const changed = honest.filter(({ stream }) => stream === SKY || stream.startsWith('job-'));
    const ends = new Map(changed.map(({ stream, number }) => [stream, number]));
    expect(code).toBe(1);
    expect(new Set(findings)).toStrictEqual(
      new Set([...ends].map(([stream, number]) => ({ stream, number, problem: 'stream_changed' }))),
    );
  });

  it('is found when streams are left out, cut, or slipped in before the checkpoint', async () => {
    const job = honest.find(({ stream }) => stream.startsWith('job-'))?.stream;
    ensure(job);
    const [first] = honest.filter(({ stream }) => stream === SKY);
    ensure(first);
    const kept = honest.filter(
      ({ stream, number }) => stream !== job && (stream !== SKY || number === 0),
    );
    const url = await storeOf(
      rehashed([{ ...first, stream: 'sem-world/fact/sea/value' }, ...kept]),
    );
    expect(await verify(url)).toStrictEqual({ code: 0, findings: [] });
    const { code, findings } = await verify(url, '--since', file);
    expect(code).toBe(1);
    expect([...findings].sort(byProblem)).toStrictEqual([
      { stream: SKY, number: 1, problem: 'stream_cut' },
      { stream: 'sem-world/fact/sea/value', number: 0, problem: 'stream_inserted' },
      { stream: job, number: 0, problem: 'stream_missing' },
    ]);
  });

  it('is found when the event store hides a stream: deleted, truncated, or with a tombstone', async () => {
    const url = await storeOf(honest);
    const streams = [...new Set(honest.map(({ stream }) => stream))];
    const [deleted, truncated, buried] = streams;
    ensure(deleted && truncated && buried);
    const client = EventStoreDBClient.connectionString(url);
    await client.deleteStream(deleted);
    await client.setStreamMetadata(truncated, { truncateBefore: 1 });
    await client.tombstoneStream(buried);
    await client.dispose();
    const { code, findings } = await verify(url, '--since', file);
    expect(code).toBe(1);
    expect(new Set(findings.map(({ stream }) => stream))).toStrictEqual(
      new Set([deleted, truncated, buried]),
    );
  });

  it('a checkpoint of a damaged log names the damage, and so does each later comparison', async () => {
    const [first, ...rest] = honest;
    ensure(first);
    const url = await storeOf([
      { ...first, metadata: { ...first.metadata, hash: 'f'.repeat(64) } },
      ...rest,
    ]);
    const damaged = at('damaged.checkpoint');
    const { code, stdout } = await checkpoint(damaged, url);
    expect([code, stdout]).toStrictEqual([
      1,
      expect.stringMatching(
        /wrong_hash[^]*warning: the log has \d findings?, and the file describes/,
      ),
    ]);
    const { findings } = await verify(url, '--since', damaged);
    expect(findings[0]).toStrictEqual({ stream: first.stream, number: 0, problem: 'wrong_hash' });
    expect(findings.filter(({ problem }) => problem.startsWith('stream_'))).toStrictEqual([]);
  });
});
