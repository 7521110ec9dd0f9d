import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Message } from '#agents/language-model/language-model.js';
import type { JsonObject } from '#domain/json.js';
import { Caller } from '#test/support/caller.js';
import { LanguageModelServer } from '#test/support/language-model-server.js';
import { Asker } from '#test/support/queries.js';
import { TestService } from '#test/support/service.js';
import { ensure } from '#test/support/ensure.js';
import { named } from '#test/support/named.js';

const KEYS = ['sk-test-Hq4Vw8Zr2N', 'sk-test-Bm7Xc3Ty9K'] as const;
const MEMBERS = ['safety_check', 'coherence_check', 'factuality_check'];
const VOTE = { factuality: 0.9, coherence: 0.9, safety: 1, approve: true, note: 'Sound.' };

describe('Language models configured by environment variables', () => {
  let writer: LanguageModelServer;
  let reviewer: LanguageModelServer;
  let service: TestService;
  let asker: Asker;
  let user: Caller;
  beforeAll(async () => {
    writer = await LanguageModelServer.start();
    reviewer = await LanguageModelServer.start();
    service = await TestService.start({
      environment: {
        REVIEWER_KEY: KEYS[1],
        MACE_LLM_PROVIDERS: JSON.stringify([
          { name: 'writer', base_url: writer.baseUrl, model: 'w', api_key: KEYS[0] },
          { name: 'reviewer', base_url: reviewer.baseUrl, model: 'r', api_key_env: 'REVIEWER_KEY' },
        ]),
        MACE_LLM_COUNCIL: JSON.stringify([{ id: 'reviewer-1', provider: 'reviewer' }]),
      },
    });
    user = await Caller.of(service, 'user', { sub: named('u-ada'), user_id: named('ada') });
    asker = new Asker(service, user);
  });
  afterAll(async () => {
    await service.stop();
    await writer.stop();
    await reviewer.stop();
  });

  const votersOf = async (log_id: string): Promise<unknown[]> =>
    ((await user.get(`reflective-logs/${log_id}`))['council_votes'] as JsonObject[]).map(
      ({ council_agent_id }) => council_agent_id,
    );

  test('configured models answer a query and review the answer in the council', async () => {
    writer.always({ say: 'The sea is wide.', tokens: 5 });
    reviewer.always({ say: JSON.stringify(VOTE), tokens: 9 });
    const answered = await asker.ask('Write a poem about the sea');
    expect(answered.answer).toBe('The sea is wide.');
    expect(await votersOf(answered.log_id)).toStrictEqual([...MEMBERS, 'reviewer-1']);
    const [written] = writer.requests;
    expect(written?.authorization).toBe(`Bearer ${KEYS[0]}`);
    const [reviewed] = reviewer.requests;
    ensure(reviewed?.authorization === `Bearer ${KEYS[1]}`);
    expect(reviewed.body.messages.at(-1)?.content ?? '').toMatch(/The sea is wide\./);
  });

  test('a configured model repairs an answer until the reviewer approves it', async () => {
    const wasRepaired = (messages: readonly Message[]): boolean =>
      messages.some(({ content }) => content.includes('- Make it rhyme'));
    writer.always({ say: (asked) => (wasRepaired(asked) ? 'The sea, and me.' : 'The sea.') });
    const contradiction = {
      ...VOTE,
      safety: 0,
      approve: false,
      suggested_changes: 'Make it rhyme',
    };
    reviewer.always({
      say: (asked) =>
        JSON.stringify(asked.at(-1)?.content.includes('and me') ? VOTE : contradiction),
    });
    const answered = await asker.ask('Write a poem about the sea');
    expect(answered.answer).toBe('The sea, and me.');
    const log = await user.get(`reflective-logs/${answered.log_id}`);
    expect(log['repair_loops']).toBe(1);
  });

  test('a model that returns no vote loses its vote, and the log line gives the reason', async () => {
    writer.always({ say: 'The sea is wide.' });
    reviewer.always({ say: 'I like it!' });
    const answered = await asker.ask('Write a poem about the sea');
    expect(await votersOf(answered.log_id)).toStrictEqual(MEMBERS);
    const line = service.log.find(({ type }) => type === 'council_member_absent');
    expect(line?.['council_agent_id']).toBe('reviewer-1');
    expect(line?.['reason']).toBe('malformed_vote');
  });

  test('the keys of models appear in no log line, metric or answer', async () => {
    writer.always({ status: 401, body: KEYS[0] });
    reviewer.always({ status: 403, body: KEYS[1] });
    const { body } = await user.ask('POST', 'queries', { body: { query_text: 'Tell a joke' } });
    const metrics = await (await fetch(`${service.url}/metrics`)).text();
    const shown = [JSON.stringify(service.log), JSON.stringify(body), metrics].join('\n');
    for (const key of KEYS) expect(shown).not.toContain(key);
    expect(shown).toMatch(/AUTH_ERROR/);
  });
});
