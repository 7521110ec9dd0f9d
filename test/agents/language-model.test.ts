import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Message } from '#agents/language-model/language-model.js';
import { OrderedProviders } from '#agents/language-model/ordered-providers.js';
import type { Attempt, Provider } from '#agents/language-model/provider.js';
import { LanguageModelDown, type ProviderFailure } from '#agents/language-model-down.js';
import { LanguageModelServer, type Behaviour } from '#test/support/language-model-server.js';
import { collectGarbage } from '#test/support/collect-garbage.js';
import { ensure } from '#test/support/ensure.js';

const KEY = 'sk-test-7fQ2mZ9kLx';
const QUESTION = 'Why is the sky blue over Bergen?';
const MESSAGES: readonly Message[] = [
  { role: 'system', content: 'Answer in one sentence.' },
  { role: 'user', content: QUESTION },
];

describe('The language model client', () => {
  let first: LanguageModelServer;
  let second: LanguageModelServer;
  beforeAll(async () => {
    first = await LanguageModelServer.start();
    second = await LanguageModelServer.start();
  });
  afterAll(async () => {
    await first.stop();
    await second.stop();
  });
  beforeEach(() => {
    for (const server of [first, second]) {
      server.requests.length = 0;
      server.always({ say: 'A fine answer.', tokens: 3 });
    }
  });

  const provider = (
    name: string,
    server: LanguageModelServer,
    more: Partial<Provider> = {},
  ): Provider => ({
    name,
    base_url: server.baseUrl,
    model: `${name}-model`,
    key: { secret: `${KEY}-${name}` },
    timeout_ms: 10_000,
    ...more,
  });
  const never = new AbortController().signal;

  async function down(model: OrderedProviders): Promise<LanguageModelDown> {
    const error: unknown = await model.complete(MESSAGES, never).then(
      () => {
        throw new Error('the model answered');
      },
      (thrown: unknown) => thrown,
    );
    ensure(error instanceof LanguageModelDown);
    return error;
  }

  it('the client asks for a chat completion with deterministic parameters and the key of the provider', async () => {
    first.always({ say: ' Rayleigh scattering.\u0000\n', tokens: 12 });
    const answered = await new OrderedProviders([provider('one', first)]).complete(MESSAGES, never);
    expect(answered).toStrictEqual({ text: 'Rayleigh scattering.', tokens: 12 });
    const [request] = first.requests;
    ensure(request?.path === '/v1/chat/completions');
    expect(request.authorization).toBe(`Bearer ${KEY}-one`);
    const { model, messages, temperature, seed, stream } = request.body;
    expect({ model, messages, temperature, seed, stream }).toStrictEqual({
      model: 'one-model',
      messages: MESSAGES,
      temperature: 0,
      seed: 0,
      stream: false,
    });
  });

  it('the client sends no Authorization header to an endpoint without a key', async () => {
    const model = new OrderedProviders([provider('local', first, { key: 'none' })]);
    await model.complete(MESSAGES, never);
    expect(first.requests[0]?.authorization).toBeUndefined();
  });

  const failures: readonly (readonly [string, Behaviour, ProviderFailure])[] = [
    ['never answers', 'hang', 'timeout'],
    ['sends its answer slowly and without end', 'slow_stream', 'timeout'],
    ['stalls in the middle of its answer', 'stall', 'timeout'],
    ['closes the connection in the middle of its answer', 'hang_up', 'network'],
    ['refuses the key with 401', { status: 401 }, 'auth'],
    ['refuses the key with 403', { status: 403 }, 'auth'],
    ['asks to slow down with 429', { status: 429 }, 'status'],
    ['fails with 500', { status: 500 }, 'status'],
    ['reports an overload with 503', { status: 503 }, 'status'],
    ['does not know the model and answers 404', { status: 404 }, 'status'],
    ['redirects to another path', 'redirect', 'network'],
    ['answers with malformed JSON', { body: '{"choices": [' }, 'malformed'],
    [
      'answers with bytes that are not UTF-8',
      { body: new Uint8Array([0x22, 0xff, 0x22]) },
      'malformed',
    ],
    ['answers with JSON of another shape', { body: '{"choices": [null]}' }, 'malformed'],
    ['answers with null', { body: 'null' }, 'malformed'],
    [
      'answers with content that is not text',
      { body: '{"choices":[{"message":{"content":[1]}}]}' },
      'malformed',
    ],
    ['answers with an empty body', { body: '' }, 'malformed'],
    ['answers with an empty text', { say: ' \n ' }, 'malformed'],
    ['answers with more bytes than the client reads', 'huge', 'malformed'],
  ];
  for (const [what, behaviour, failure] of failures)
    it(`the client asks the next provider once if the first one ${what}`, async () => {
      first.always(behaviour);
      const attempts: Attempt[] = [];
      const shortTimeout = failure === 'timeout' ? { timeout_ms: 250 } : {};
      const model = new OrderedProviders(
        [provider('one', first, shortTimeout), provider('two', second)],
        { onAttempt: (attempt) => attempts.push(attempt) },
      );
      const answered = await model.complete(MESSAGES, never);
      expect(answered.text).toBe('A fine answer.');
      const outcomes = attempts.map((attempt) => [attempt.provider, attempt.outcome]);
      expect(outcomes).toStrictEqual([
        ['one', failure],
        ['two', 'answered'],
      ]);
      expect([first.requests.length, second.requests.length]).toStrictEqual([1, 1]);
      if (failure === 'auth' || failure === 'status')
        expect(attempts[0]?.status).toBe((behaviour as { status: number }).status);
    });

  for (const behaviour of ['hang', 'slow_stream', 'stall'] as const)
    it(`the time limit holds for a provider with the behaviour ${behaviour} when the garbage collector runs`, async () => {
      first.always(behaviour);
      const model = new OrderedProviders([
        provider('one', first, { timeout_ms: 250 }),
        provider('two', second),
      ]);
      const answering = model.complete(MESSAGES, never);
      // Each collection leaves time for the answer: on a busy machine it can take longer than the pause.
      let collecting = setTimeout(function collect() {
        collectGarbage();
        collecting = setTimeout(collect, 50);
      }, 50);
      const answered = await answering.finally(() => clearTimeout(collecting));
      expect(answered.text).toBe('A fine answer.');
    });

  it('the client asks the next provider if no server listens at the address of the first one', async () => {
    const gone = await LanguageModelServer.start();
    const base_url = gone.baseUrl;
    await gone.stop();
    const model = new OrderedProviders([
      provider('gone', first, { base_url }),
      provider('two', second),
    ]);
    expect((await model.complete(MESSAGES, never)).text).toBe('A fine answer.');
  });

  it('the client asks no further provider after an answer', async () => {
    await new OrderedProviders([provider('one', first), provider('two', second)]).complete(
      MESSAGES,
      never,
    );
    expect(second.requests).toHaveLength(0);
  });

  it('002-T18 [stage0] [golden] [critical] the client throws LanguageModelDown if every provider fails, and names the failures in order', async () => {
    first.always({ status: 500 });
    second.always({ status: 401 });
    const error = await down(
      new OrderedProviders([
        provider('one', first),
        provider('two', second),
        provider('three', second, { key: 'missing' }),
      ]),
    );
    expect(error.attempts).toStrictEqual([
      { provider: 'one', failure: 'status' },
      { provider: 'two', failure: 'auth' },
      { provider: 'three', failure: 'auth' },
    ]);
    // The client does not ask a provider whose key is missing.
    expect(second.requests).toHaveLength(1);
  });

  it('the client throws LanguageModelDown if no provider is configured', async () => {
    expect((await down(new OrderedProviders([]))).attempts).toStrictEqual([]);
  });

  it('the client shows no key and no question in its errors and its attempts', async () => {
    first.always({ status: 401, body: `{"error":"Incorrect key ${KEY}-one for ${QUESTION}"}` });
    const attempts: Attempt[] = [];
    const model = new OrderedProviders([provider('one', first)], {
      onAttempt: (attempt) => attempts.push(attempt),
    });
    const error = await down(model);
    const shown = [error.message, error.stack, JSON.stringify(error), JSON.stringify(attempts)];
    for (const text of shown) {
      expect(text?.includes(KEY)).toBeFalsy();
      expect(text?.includes('Bergen')).toBeFalsy();
    }
    expect(error.cause).toBeUndefined();
  });

  it('the client stops at once and asks no other provider when its caller aborts', async () => {
    first.always('hang');
    const asking = new AbortController();
    const model = new OrderedProviders([provider('one', first), provider('two', second)]);
    const answer = model.complete(MESSAGES, asking.signal);
    const reason = new Error('the agent ran out of time');
    setImmediate(() => asking.abort(reason));
    await expect(answer).rejects.toBe(reason);
    await expect(model.complete(MESSAGES, asking.signal)).rejects.toBe(reason);
    expect(second.requests).toHaveLength(0);
  });
});
