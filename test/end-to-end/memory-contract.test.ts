import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { JsonObject } from '#domain/json.js';
import type { MemoryItem } from '#domain/memory-contract/item.js';
import { Caller, positionOf } from '#test/support/caller.js';
import { LogReader } from '#test/support/read-log.js';
import { TestService } from '#test/support/service.js';

interface Recorded {
  readonly written: readonly MemoryItem[];
  readonly trace: readonly JsonObject[];
}
interface Recalled {
  readonly items: readonly MemoryItem[];
  readonly trace: readonly JsonObject[];
}
interface Store {
  readonly space: string;
  readonly owner: string;
  readonly tick: number;
  readonly version: number;
  readonly items: readonly MemoryItem[];
}

const MEMORY = { short_term: 20, semantic: true, profile: true };

const typesOf = (trace: readonly JsonObject[]) => trace.map(({ type }) => type);

describe('The Memory Contract over HTTP', () => {
  let service: TestService;
  let log: LogReader;
  let agent: Caller;
  let auditor: Caller;

  before(async () => {
    service = await TestService.start();
    log = new LogReader(service.eventStore.url);
    agent = await Caller.of(service, 'agent');
    auditor = await Caller.of(service, 'auditor');
  });
  after(async () => {
    await log?.close();
    await service?.stop();
  });

  let sessions = 0;
  const newSession = (): string => `talk-${(sessions += 1)}`;
  const asked = (session_id: string, more: object = {}) => ({
    assistant: 'helper',
    session_id,
    memory: MEMORY,
    ...more,
  });
  const saying = (session_id: string, user_text: string, more: object = {}) =>
    asked(session_id, { user_text, ai_text: 'Noted.', ...more });
  const say = (session_id: string, user_text: string, more: object = {}, by = agent) =>
    by.post<Recorded>('memory/interactions', saying(session_id, user_text, more));
  const recall = (session_id: string, query: string, more: object = {}, by = agent) =>
    by.post<Recalled>('memory/recall', asked(session_id, { query, ...more }));
  const store = (space: string, owner: string, more = '', by = agent) =>
    by.get<Store>(`memory/${space}/${owner}${more}`);

  it('records what was said, and recalls it with the reasons (SPEC M16, M18)', async () => {
    const session = newSession();
    const { written, trace } = await say(session, 'I prefer tea over coffee.');
    assert.deepEqual(
      written.map(({ id }) => id),
      [
        `session:${session}:short_term:1`,
        `session:${session}:short_term:2`,
        `session:${session}:semantic:1`,
      ],
    );
    assert.equal(trace[0]?.['type'], 'memory_write');
    const { items, trace: decisions } = await recall(session, 'tea');
    const found = items.find(({ kind }) => kind === 'semantic');
    assert.deepEqual(found?.meta.recall_reason, [
      'matches_query',
      'recency',
      'importance',
      'space:session',
    ]);
    assert.equal(decisions[0]?.['type'], 'memory_recall');
  });
});
