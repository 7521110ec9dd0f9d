import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { IntegrityReport } from '#client/integrity.js';
import { chainHash } from '#domain/determinism/hash-chain.js';
import { appendedId, eventId } from '#domain/determinism/ids.js';
import type { JsonObject } from '#domain/json.js';
import type { LoggedEvent } from '#event-store/event-store.js';
import { wholeLog } from '#event-store/whole-log.js';
import { Caller } from '#test/support/caller.js';
import { ensure } from '#test/support/ensure.js';
import { LogReader } from '#test/support/read-log.js';
import { TestService } from '#test/support/service.js';

const FORGED = 'forged by somebody with the log';
const HONEST = 'said by the owner';

describe('A forger who appends to the streams of an owner', () => {
  let service: TestService;
  let log: LogReader;

  beforeAll(async () => {
    service = await TestService.start({ ownLog: true });
    log = new LogReader(service.eventStore.url);
  });
  afterAll(async () => {
    await log?.close();
    await service?.stop();
  });

  /** Appends the last event of a stream once more, with other words, chained to the event before the last one. */
  async function forgeIn(stream: string): Promise<{ stream: string; number: number }> {
    const [before, last] = (await log.events(stream)).slice(-2);
    ensure(before && last);
    const number = last.number + 1;
    const data = JSON.parse(JSON.stringify(last.data).replaceAll(HONEST, FORGED)) as JsonObject;
    ensure(JSON.stringify(data).includes(FORGED));
    const event_id = eventId(stream, number, last.type);
    const event: LoggedEvent = {
      ...last,
      ...{ number, data, id: appendedId(event_id, last.metadata.command_id) },
      metadata: { ...last.metadata, event_id, hash: '' },
    };
    const hash = chainHash(before.metadata.hash, event);
    const forged = { ...event, metadata: { ...event.metadata, hash } };
    await log.eventStore.append(stream, last.number, [forged]);
    return { stream, number };
  }

  async function streamOf(category: string): Promise<string> {
    for await (const page of wholeLog(log.eventStore, await log.eventStore.lastPosition()))
      for (const { stream } of page) if (stream.startsWith(`${category}-`)) return stream;
    throw new Error(`the log has no stream of ${category}`);
  }

  it('no read of a conversation, note, thread, consent or request shows a forged event, no write follows it, and the verification names it', async () => {
    const agent = await Caller.of(service, ['agent', 'user'], { user_id: 'uma' });
    const reviewer = await Caller.of(service, 'council', { sub: 'reviewer' });
    const say = async (words: string): Promise<void> => {
      await agent.post('conversations/talk/items', { items: [{ words }] });
      await agent.did('PUT', 'notes', { body: { namespace: ['sky'], key: 'k', value: words } });
      await agent.did('PUT', 'threads/checkpoints', {
        body: {
          ...{ thread_id: 'graph', checkpoint_id: words, checkpoint: { v: 4 } },
          ...{ metadata: {}, channel_versions: { words: 1 }, channel_values: { words } },
        },
      });
      await agent.post('consents', { text: words, scope: 'persistent' });
    };
    await say('first');
    await say(HONEST);
    await agent.post('jobs', { job_seed: 'proposing' });
    const { episodic_id } = await agent.post('jobs/proposing/episodes', {
      summary: 'It was said.',
    });
    const { request_id } = await agent.post('action-requests', {
      ...{ episodic_id, target_sem_key: 'world/fact/grass/value', value: 'green' },
      justification: 'It was said.',
    });
    const request = `action-requests/${String(request_id)}`;
    await reviewer.post(`${request}/questions`, { question: HONEST });

    const reads = [
      'conversations/talk/items',
      'notes?namespace=sky&key=k',
      'threads/checkpoints?thread_id=graph',
      'consents',
      request,
      `${request}/dossier`,
    ];
    for (const path of reads)
      expect(JSON.stringify((await agent.ask('GET', path)).body)).toContain(
        path.endsWith('dossier') ? '' : HONEST,
      );
    const forged = [];
    for (const category of ['conversation', 'note', 'thread', 'consent', 'request'])
      forged.push({ ...(await forgeIn(await streamOf(category))), problem: 'wrong_hash' });

    for (const path of reads) {
      const caller = path.startsWith(request) ? reviewer : agent;
      expect(JSON.stringify(await caller.ask('GET', path))).not.toContain(FORGED);
    }
    for (const [method, path, body] of [
      ['POST', 'conversations/talk/items', { items: ['more'] }],
      ['PUT', 'notes', { namespace: ['sky'], key: 'k', value: 'more' }],
      ['POST', 'consents', { text: 'more', scope: 'persistent' }],
    ] as const)
      await agent.refused('INTEGRITY_FAILURE', method, path, { body });
    await reviewer.refused('INTEGRITY_FAILURE', 'POST', `${request}/questions`, {
      body: { question: 'more' },
    });
    const auditor = await Caller.of(service, 'auditor');
    const { findings } = await auditor.post<IntegrityReport>('integrity/verification', {});
    expect(findings).toEqual(expect.arrayContaining(forged));
  });
});
