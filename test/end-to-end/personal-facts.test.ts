import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import messages from '#domain/errors/golden_messages.json' with { type: 'json' };
import type { JsonObject } from '#domain/json.js';
import { Caller } from '#test/support/caller.js';
import { ensure } from '#test/support/ensure.js';
import type { QueryAnswer, QueryFailure } from '#test/support/queries.js';
import { LanguageModelServer } from '#test/support/language-model-server.js';
import { named } from '#test/support/named.js';
import { ORDINARY_QUESTIONS, PERSONAL_QUESTIONS } from '#test/support/personal-questions.js';
import { startTestEventStore, startTestPostgres, type TestServer } from '#test/support/servers.js';
import { TestService } from '#test/support/service.js';

/** The answer of a model that makes facts up. */
const MADE_UP = 'Your hobby is chess, and you are forty-two.';
/** Some wordings for each fact; the tests of the domain read the others. */
const SAMPLE = Object.entries(PERSONAL_QUESTIONS).map(
  ([attribute, wordings]) => [attribute, wordings.slice(0, 2)] as const,
);
const QUESTIONS = SAMPLE.flatMap(([, wordings]) => wordings);
const EVERYTHING = SAMPLE.find(([attribute]) => attribute === '')?.[1] ?? [];
const ONE_FACT = SAMPLE.filter(([attribute]) => attribute !== '');
const ORDINARY = ORDINARY_QUESTIONS.filter((_, at) => at % 5 === 0);
const AT_ONCE = 8;

let model: LanguageModelServer;
let servers: { readonly eventStore: TestServer; readonly postgres: TestServer };
let service: TestService;
let withoutModel: TestService;
let nobody: Caller;
let ada: Caller;
let auditor: Caller;

beforeAll(async () => {
  model = await LanguageModelServer.start();
  servers = { eventStore: await startTestEventStore(), postgres: await startTestPostgres() };
  service = await TestService.start({
    servers,
    environment: {
      MACE_LLM_PROVIDERS: JSON.stringify([
        { name: 'one', base_url: model.baseUrl, model: 'm', api_key: 'sk-test-4fTq9' },
      ]),
      MACE_LLM_COUNCIL: JSON.stringify([{ id: 'reviewer-1', provider: 'one' }]),
    },
  });
  withoutModel = await TestService.start({ servers });
  await service.caughtUp();
  await withoutModel.caughtUp();
  nobody = await userOf(service, 'nobody');
  ada = await userOf(service, 'ada');
  auditor = await Caller.of(service, 'auditor');
});
afterAll(async () => {
  await service.stop();
  await withoutModel.stop();
  await servers.eventStore.stop();
  await servers.postgres.stop();
  await model.stop();
});
beforeEach(() => {
  model.always({ say: MADE_UP, tokens: 9 });
  model.requests.length = 0;
});

const userOf = (at: TestService, user: string): Promise<Caller> =>
  Caller.of(at, 'user', { sub: named(`u-${user}`), user_id: named(user) });

const ask = (caller: Caller, query_text: string) =>
  caller.ask<QueryAnswer & QueryFailure>('POST', 'queries', { body: { query_text } });

/** Asks each question, several at once, and returns the answers in the order of the questions. */
async function askAll(caller: Caller, questions: readonly string[]) {
  const answers: Awaited<ReturnType<typeof ask>>[] = [];
  for (let at = 0; at < questions.length; at += AT_ONCE)
    answers.push(
      ...(await Promise.all(
        questions.slice(at, at + AT_ONCE).map((question) => ask(caller, question)),
      )),
    );
  return answers;
}

/** Asks each question, and asserts that none was answered: each is SEM_NOT_FOUND. */
async function allMissing(caller: Caller): Promise<void> {
  const answers = await askAll(caller, QUESTIONS);
  const found = answers.map(({ status, body }, at) => [
    QUESTIONS[at],
    status,
    body.error_code ?? body.answer,
    body.user_message,
    (body as unknown as JsonObject)['result'],
  ]);
  expect(found).toStrictEqual(
    QUESTIONS.map((question) => [
      question,
      400,
      'SEM_NOT_FOUND',
      messages.SEM_NOT_FOUND.user_message,
      { exists: false, value: null },
    ]),
  );
}

const valueOf = (attribute: string): string => `the ${attribute.replaceAll('_', ' ')} that stands`;

test('A1 004 §7 [stage0] a fact that is not stored is SEM_NOT_FOUND, however it is asked for, and no model is asked', async () => {
  await allMissing(nobody);
  expect(model.requests).toStrictEqual([]);
});

test('A1 004 §7 [stage0] without a user_id no fact is found, and no model is asked', async () => {
  const anonymous = await Caller.of(service, 'agent', { sub: named('anonymous') });
  await allMissing(anonymous);
  expect(model.requests).toStrictEqual([]);
});

test('A1 004 §7 [stage0] without a model the answers are the same, and no query fails because the model is missing', async () => {
  await allMissing(await userOf(withoutModel, 'nobody'));
});

test('A1 [stage0] a stored fact is the answer, however it is asked for, and no model is asked', async () => {
  await Promise.all(
    ONE_FACT.map(([attribute]) =>
      ada.did('PUT', `sem/user/profile/user_${named('ada')}/${attribute}`, {
        body: { value: valueOf(attribute) },
      }),
    ),
  );
  for (const at of [service, withoutModel]) {
    const caller = await userOf(at, 'ada');
    const questions = ONE_FACT.flatMap(([attribute, wordings]) =>
      wordings.map((question) => [question, attribute] as const),
    );
    const answers = await askAll(
      caller,
      questions.map(([question]) => question),
    );
    expect(
      answers.map(({ body }, index) => [questions[index]?.[0], body.answer ?? body.error_code]),
    ).toStrictEqual(
      questions.map(([question, attribute]) => [
        question,
        `Your ${attribute.replaceAll('_', ' ')} is ${valueOf(attribute)}.`,
      ]),
    );
    for (const { body } of await askAll(caller, EVERYTHING)) {
      expect(body.answer).toContain(`Your hobby is ${valueOf('hobby')}.`);
      expect(body.answer).toContain(`Your shoe size is ${valueOf('shoe_size')}.`);
    }
  }
  expect(model.requests).toStrictEqual([]);
});

test('A1 ordinary questions still reach a model', async () => {
  const reached = (question: string): boolean =>
    model.requests.some(({ body }) => body.messages.some(({ content }) => content === question));
  const plain = await Caller.of(service, 'agent', { sub: named('plain') });
  const answers = await askAll(plain, ORDINARY);
  const byModel = ORDINARY.filter(
    (question, at) => answers[at]?.body.answer === MADE_UP && reached(question),
  );
  // These go to the math agent and the operational agent, which need no model.
  const byRules = answers.flatMap(({ body }, at) =>
    body.agent_id === 'math_agent' || body.agent_id === 'operational_agent' ? [ORDINARY[at]] : [],
  );
  expect([...byModel, ...byRules].toSorted()).toStrictEqual(ORDINARY.toSorted());
  expect(byModel.length).toBeGreaterThan(byRules.length);
});

test('A1 R1 a question for a fact keeps its route, and its log names no model', async () => {
  const routed = await ada.post<JsonObject>('route', { query_text: 'What is my hobby?' });
  expect(routed).toStrictEqual({
    agent_id: 'knowledge_agent',
    route_reason: 'fact_lookup',
    depth: 1,
  });
  const { body } = await ask(ada, 'What is my hobby?');
  expect([body.route_reason, body.agent_id, body.degraded, body.notices]).toStrictEqual([
    'fact_lookup',
    'profile_agent',
    [],
    [],
  ]);
  const log = await ada.get<{ council_votes: JsonObject[]; qcp_summary: JsonObject }>(
    `reflective-logs/${body.log_id}`,
  );
  expect(log.qcp_summary['agent_id']).toBe('knowledge_agent');
  expect(log.council_votes.map((vote) => vote['council_agent_id'])).toStrictEqual([
    'safety_check',
    'coherence_check',
    'factuality_check',
  ]);
  expect(model.requests).toStrictEqual([]);
});

test('A1 A2 a missing fact is recorded, and its query replays identically', async () => {
  const { body } = await ask(nobody, 'What is my hobby?');
  expect(body.developer_message).toBe(
    `SEM lookup for key user/profile/user_${named('nobody')}/hobby returned empty.`,
  );
  const { events } = await nobody.get<{ events: { type: string; data: JsonObject }[] }>(
    `jobs/${body.job_seed}/events?limit=100`,
  );
  const asked = events.find(({ type }) => type === 'query_asked');
  expect(asked?.data['asks_for']).toStrictEqual([
    ['user/profile/{user}/hobby', 'user/profile/{user}/hobbies'],
  ]);
  expect(events.find(({ type }) => type === 'sem_miss')?.data).toStrictEqual({
    key: `user/profile/user_${named('nobody')}/hobby`,
    user_id: named('nobody'),
  });
  const report = await auditor.post(`jobs/${body.job_seed}/replays`, { mode: 'strict' });
  expect(report['identical']).toBe(true);
});

test('A1 a tie that a model would verify is not verified by a model', async () => {
  const constants = {
    auto_tie_break: true,
    council_threshold: 1,
    council_weights: { safety_check: 0, coherence_check: 0, factuality_check: 0 },
  };
  const body = { query_text: 'What is my hobby?', constants };
  await ada.refused('COUNCIL_DEADLOCK', 'POST', 'queries', { body });
  expect(model.requests).toStrictEqual([]);
});

test('A1 K5 a fact about somebody else is not answered with the user’s own', async () => {
  for (const question of [
    'What is my mother’s favorite color?',
    "What is John's favorite color?",
    'Where does my neighbor work?',
    'What is the name of my dentist?',
  ]) {
    const { status, body } = await ask(ada, question);
    expect([question, status, body.error_code]).toStrictEqual([question, 400, 'SEM_NOT_FOUND']);
  }
  const mother = `sem/user/profile/user_${named('ada')}/mother_s_favorite_color`;
  await ada.did('PUT', mother, { body: { value: 'teal' } });
  const { body } = await ask(ada, 'What is my mother’s favorite color?');
  expect(body.answer).toBe('Your mother s favorite color is teal.');
});

test('A1 a fact that the user has just confirmed is the next answer', async () => {
  const eve = await userOf(service, 'eve');
  const proposed = await eve.post<QueryAnswer>('queries', {
    query_text: 'Remember my hobby is rowing',
  });
  ensure(proposed.proposal);
  await eve.post('queries', { query_text: 'yes', confirm: proposed.log_id });
  model.requests.length = 0;
  const { body } = await ask(eve, 'So, what’s my hobby again?');
  expect(body.answer).toBe('Your hobby is rowing.');
  expect(model.requests).toStrictEqual([]);
});
