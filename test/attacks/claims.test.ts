import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { JsonObject } from '#domain/json.js';
import { Caller } from '#test/support/caller.js';
import { TestService } from '#test/support/service.js';

interface Recalled {
  readonly items: readonly { readonly text: string }[];
}

const ROUNDS = 8;
const SUBJECTS = Array.from({ length: 12 }, (_, index) => `subject-${index}`);

const asked = (session_id: string, more: JsonObject): JsonObject => ({
  assistant: 'helper',
  session_id,
  memory: { short_term: 20, semantic: true, profile: true },
  ...more,
});
const turn = (session_id: string, user_text: string): JsonObject =>
  asked(session_id, { user_text, ai_text: 'Noted.' });

describe('Strangers who race for a name that nobody has claimed', () => {
  let services: readonly TestService[];
  let callers: readonly Caller[];

  beforeAll(async () => {
    const first = await TestService.start({ ownLog: true });
    const second = await TestService.start({
      servers: { eventStore: first.eventStore, postgres: first.postgres },
    });
    services = [first, second];
    callers = await Promise.all(
      SUBJECTS.map((sub, index) => Caller.of(services[index % 2]!, 'agent', { sub })),
    );
  });
  afterAll(async () => {
    for (const service of [...services].reverse()) await service.stop();
  });

  it('I9 of first interactions in one session, only those of one subject are accepted', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const session_id = `raced-${round}`;
      const answers = await Promise.all(
        callers.map((caller, index) =>
          caller.ask('POST', 'memory/interactions', {
            body: turn(session_id, `I prefer drink ${SUBJECTS[index]}`),
          }),
        ),
      );
      const accepted = SUBJECTS.filter((_, index) => answers[index]?.status === 201);
      expect([round, accepted.length]).toStrictEqual([round, 1]);
      for (const { status, body } of answers)
        if (status !== 201) expect(body.error_code).toBe('PERMISSION_DENIED');
      const owner = callers[SUBJECTS.indexOf(accepted[0]!)]!;
      const { items } = await owner.post<Recalled>(
        'memory/recall',
        asked(session_id, { query: 'drink' }),
      );
      for (const { text } of items)
        for (const sub of SUBJECTS) if (sub !== accepted[0]) expect(text).not.toContain(`${sub} `);
    }
  });

  it('I9 of job starts and interactions in one session, only those of one subject are accepted', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const session_id = `mixed-${round}`;
      const answers = await Promise.all(
        callers.map((caller, index) =>
          index % 3 === 0
            ? caller.ask('POST', 'jobs', { body: { session_id } })
            : caller.ask('POST', 'memory/interactions', {
                body: turn(session_id, 'I prefer tea'),
              }),
        ),
      );
      const accepted = answers.filter(({ status }) => status === 201);
      expect([round, accepted.length]).toStrictEqual([round, 1]);
    }
  });

  it('I9 a recall without a trace, which claims nothing, never returns the words of the caller who has just claimed the session', async () => {
    const [owner, ...strangers] = callers;
    for (let round = 0; round < ROUNDS; round += 1) {
      const session_id = `overheard-${round}`;
      const body = asked(session_id, { query: 'tea', trace: false });
      const [written, ...overheard] = await Promise.all([
        owner!.ask('POST', 'memory/interactions', {
          body: turn(session_id, 'I prefer tea'),
        }),
        ...strangers.map((stranger) => stranger.ask<Recalled>('POST', 'memory/recall', { body })),
      ]);
      expect(written.status).toBe(201);
      for (const { status, body: answer } of overheard)
        if (status === 200) expect(answer.items).toStrictEqual([]);
        else expect(status).toBe(403);
    }
  });

  it('I9 K3 of first writes under one owner slug, only those of one raw id are accepted', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const ids = ['Mary Ann', 'mary.ann', 'mary_ann', 'Mary-Ann'].map((id) => `${id} ${round}`);
      const users = await Promise.all(
        ids.map((sub, index) => Caller.of(services[index % 2]!, 'user', { sub })),
      );
      const key = `user/profile/user_mary_ann_${round}/name`;
      const answers = await Promise.all(
        users.map((user) => user.ask('PUT', `sem/${key}`, { body: { value: 'Mary' } })),
      );
      const accepted = answers.filter(({ status }) => status === 200);
      expect([round, accepted.length]).toStrictEqual([round, 1]);
      const reads = await Promise.all(users.map((user) => user.ask('GET', `sem/${key}`)));
      expect(reads.filter(({ status }) => status === 200)).toHaveLength(1);
    }
  });
});
