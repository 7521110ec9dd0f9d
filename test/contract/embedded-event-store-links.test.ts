import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import {
  binaryEvent,
  EventStoreDBClient,
  jsonEvent,
  type ResolvedEvent,
  streamNameFilter,
} from '@eventstore/db-client';
import { startOwnEventStore, type OwnServer } from '#test/support/servers.js';

let server: OwnServer;
let client: EventStoreDBClient;

beforeAll(async () => {
  server = await startOwnEventStore();
  client = EventStoreDBClient.connectionString(server.url);
});
afterAll(async () => {
  await client.dispose();
  await server.stop();
});

const newStream = (prefix = 'linked'): string => `${prefix}-${randomUUID()}`;
const noted = (n: number) => jsonEvent({ type: 'Noted', data: { n } });
const linkTo = (target: string) => binaryEvent({ type: '$>', data: Buffer.from(target) });

async function readAll(events: AsyncIterable<ResolvedEvent>): Promise<ResolvedEvent[]> {
  const read: ResolvedEvent[] = [];
  for await (const event of events) read.push(event);
  return read;
}

const resolvedIn = (stream: string, options = {}) =>
  readAll(client.readStream(stream, { resolveLinkTos: true, ...options }));

/** For each answer, the place of the event and of the link; undefined for the one that is missing. */
const placesOf = (read: readonly ResolvedEvent[]) =>
  read.map(({ event, link }) => [
    event && `${event.revision}@${event.streamId}`,
    link && `${link.revision}@${link.streamId}`,
  ]);

describe('A read with resolveLinkTos', () => {
  it('returns for a link the linked event and the link, and other events as they are', async () => {
    const [target, links] = [newStream('tärget@home'), newStream()];
    await client.appendToStream(target, [noted(0), noted(1)]);
    await client.appendToStream(links, [linkTo(`1@${target}`), noted(2), linkTo(`0@${target}`)]);
    const read = await resolvedIn(links);
    expect(placesOf(read)).toStrictEqual([
      [`1@${target}`, `0@${links}`],
      [`1@${links}`, undefined],
      [`0@${target}`, `2@${links}`],
    ]);
    expect(read.map(({ event }) => event?.data)).toStrictEqual([{ n: 1 }, { n: 2 }, { n: 0 }]);
    expect(read[0]!.link).toMatchObject({ type: '$>', data: Buffer.from(`1@${target}`) });
    const backwards = await resolvedIn(links, { direction: 'backwards', fromRevision: 'end' });
    expect(placesOf(backwards)).toStrictEqual(placesOf(read).reverse());
    expect(placesOf(await resolvedIn(links, { maxCount: 1 }))).toStrictEqual([
      [`1@${target}`, `0@${links}`],
    ]);
  });

  it('returns links as events without the option', async () => {
    const [target, links] = [newStream(), newStream()];
    await client.appendToStream(target, noted(0));
    await client.appendToStream(links, linkTo(`0@${target}`));
    const [only] = await readAll(client.readStream(links));
    expect(placesOf([only!])).toStrictEqual([[`0@${links}`, undefined]]);
    expect(only!.event!.type).toBe('$>');
  });

  it('returns a link to a link as the second link, which is not followed', async () => {
    const [target, links, more] = [newStream(), newStream(), newStream()];
    await client.appendToStream(target, noted(0));
    await client.appendToStream(links, linkTo(`0@${target}`));
    await client.appendToStream(more, linkTo(`0@${links}`));
    expect(placesOf(await resolvedIn(more))).toStrictEqual([[`0@${links}`, `0@${more}`]]);
  });

  const unresolvable: Readonly<Record<string, (target: string) => Promise<unknown>>> = {
    'an event of a stream that was never written': async () => `0@${newStream()}`,
    'an event beyond the end of its stream': async (target) => `7@${target}`,
    'an event of a deleted stream': (target) => client.deleteStream(target),
    'an event of a tombstoned stream': (target) => client.tombstoneStream(target),
    'an event that $tb hides': (target) => client.setStreamMetadata(target, { truncateBefore: 1 }),
    'an event that $maxCount hides': (target) => client.setStreamMetadata(target, { maxCount: 1 }),
    'something without a number': async (target) => `x@${target}`,
    'something without a stream': async () => '0',
    'a name that no stream can have': async () => '0@$$',
    'a name that is too long for a stream': async () => `0@${'n'.repeat(100_000)}`,
    nothing: async () => '@',
  };
  for (const [kind, prepare] of Object.entries(unresolvable)) {
    it(`returns a link to ${kind} without an event`, async () => {
      const [target, links] = [newStream(), newStream()];
      await client.appendToStream(target, [noted(0), noted(1)]);
      const prepared = await prepare(target);
      const to = typeof prepared === 'string' ? prepared : `0@${target}`;
      await client.appendToStream(links, [linkTo(to), noted(1)]);
      expect(placesOf(await resolvedIn(links))).toStrictEqual([
        [undefined, `0@${links}`],
        [`1@${links}`, undefined],
      ]);
    });
  }

  it('of $all resolves links at the positions of the links, and filters by the links', async () => {
    const [target, links] = [newStream('aim'), newStream('hook')];
    await client.appendToStream(target, noted(0));
    const { position } = await client.appendToStream(links, linkTo(`0@${target}`));
    const [last] = await readAll(
      client.readAll({ direction: 'backwards', fromPosition: 'end', resolveLinkTos: true }),
    );
    expect(placesOf([last!])).toStrictEqual([[`0@${target}`, `0@${links}`]]);
    expect(last!.commitPosition).toBe(position!.commit);
    const followed: ResolvedEvent[] = [];
    const filter = streamNameFilter({ prefixes: [links] });
    for await (const event of client.subscribeToAll({ resolveLinkTos: true, filter })) {
      if (followed.push(event) === 1) await client.appendToStream(links, linkTo(`5@${target}`));
      else break;
    }
    expect(placesOf(followed)).toStrictEqual([
      [`0@${target}`, `0@${links}`],
      [undefined, `1@${links}`],
    ]);
  });

  it('of a subscription resolves the existing links and the new ones, also after a restart of the node', async () => {
    const [target, links] = [newStream(), newStream()];
    await client.appendToStream(target, [noted(0), noted(1)]);
    await client.appendToStream(links, linkTo(`0@${target}`));
    const followed: ResolvedEvent[] = [];
    for await (const event of client.subscribeToStream(links, { resolveLinkTos: true })) {
      if (followed.push(event) === 1) await client.appendToStream(links, linkTo(`1@${target}`));
      else break;
    }
    expect(placesOf(followed)).toStrictEqual([
      [`0@${target}`, `0@${links}`],
      [`1@${target}`, `1@${links}`],
    ]);
    await client.dispose();
    await server.kill();
    await server.restart();
    client = EventStoreDBClient.connectionString(server.url);
    expect(placesOf(await resolvedIn(links))).toStrictEqual(placesOf(followed));
  });
});
