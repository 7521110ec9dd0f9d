import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type ErrorCode,
  isMaceError,
  type JobEnded,
  type JobHandle,
  type LogEvent,
  MaceClient,
  type MaceError,
  withMemory,
} from '#client/index.js';
import { ERROR_CODES } from '#domain/errors/error-table.js';
import { named } from '#test/support/named.js';
import { startOwnEventStore, startTestPostgres } from '#test/support/servers.js';
import { TestService } from '#test/support/service.js';
import { type TokenOptions } from '#test/support/service-client.js';

/** Returns the outcome of each call: its answer, or the code of its error. */
const outcomes = async (calls: readonly Promise<unknown>[]): Promise<unknown[]> =>
  (await Promise.allSettled(calls)).map((result) =>
    result.status === 'fulfilled' ? 'done' : (result.reason as MaceError).code,
  );

describe('The SDK on a real service', () => {
  let service: TestService;
  let mace: MaceClient;

  const clientOf = async (
    role: 'agent' | 'auditor',
    options: TokenOptions = {},
    fetch: typeof globalThis.fetch = globalThis.fetch,
  ): Promise<MaceClient> => {
    const token = await service.token(role, options);
    return new MaceClient({ baseUrl: service.url, token, fetch });
  };

  beforeAll(async () => {
    service = await TestService.start();
    mace = await clientOf('agent');
  });
  afterAll(() => service?.stop());

  it('an error is narrowed by its code, and every code of the service has a type', async () => {
    const error: unknown = await mace
      .job(named('unknown'))
      .get()
      .catch((reason: unknown) => reason);
    expect(isMaceError(error)).toBe(true);
    expect(isMaceError(error, 'JOB_ENDED')).toBe(false);
    if (!isMaceError(error, 'NOT_FOUND', 'PERMISSION_DENIED')) throw error;
    const code: 'NOT_FOUND' | 'PERMISSION_DENIED' = error.code;
    expect(code).toBe('NOT_FOUND');
    // The compiler compares the types in both directions.
    const codes: readonly ErrorCode[] = ERROR_CODES;
    const known: readonly (typeof ERROR_CODES)[number][] = codes;
    expect(known).toContain('VERSION_CONFLICT');
  });

  describe('batched calls', () => {
    let requests: string[] = [];
    let job: JobHandle;

    /** Starts a job with a client whose requests are counted. */
    const start = async (seed: string): Promise<JobHandle> => {
      const counting = await clientOf('agent', {}, (input, init) => {
        requests.push(`${init?.method ?? 'GET'} ${(input as string).replace(/.*\//, '')}`);
        return fetch(input, init);
      });
      const { job_seed } = await counting.jobs.start({ job_seed: named(seed) });
      requests = [];
      return counting.job(job_seed);
    };

    it('calls of one turn are one request, and each gets its own answer', async () => {
      job = await start('batched');
      const batched = job.batched();
      const [first, second, ticked] = await Promise.all([
        batched.insert({ type: 'fact', value: 1 }),
        batched.insert({ type: 'fact', value: 2 }),
        batched.tick(),
      ]);
      expect([first.wm_id, second.wm_id, ticked.tick]).toStrictEqual([
        `wm:${job.seed}:1`,
        `wm:${job.seed}:2`,
        1,
      ]);
      expect(requests).toStrictEqual(['POST commands']);
    });

    it('calls during a request are one further request, in the order of the calls', async () => {
      job = await start('pipelined');
      const batched = job.batched();
      const calls = [batched.insert({ type: 'fact', value: 0 })];
      while (requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 1));
      for (let value = 1; value < 50; value += 1)
        calls.push(batched.insert({ type: 'fact', value }));
      const ids = (await Promise.all(calls)).map(({ wm_id }) => wm_id);
      expect(ids).toStrictEqual(ids.map((_, index) => `wm:${job.seed}:${index + 1}`));
      expect(requests).toStrictEqual(['POST commands', 'POST commands']);
    });

    it('a refused call fails alone, and its neighbours are recorded in their order', async () => {
      job = await start('refusals');
      const batched = job.batched();
      const calls = [
        batched.insert({ type: 'fact', value: 'a' }),
        batched.referenceWm('wm:nothing:1'),
        batched.insert({ type: 'fact', value: 'b' }),
        batched.tick(0),
        batched.referenceWm(`wm:${job.seed}:1`),
        batched.insert({ type: 'fact', value: 'x'.repeat(20_000) }),
        batched.insert({ type: 'fact', value: 'c' }),
      ];
      expect(await outcomes(calls)).toStrictEqual([
        ...['done', 'NOT_FOUND', 'done', 'INVALID_INPUT', 'done', 'INVALID_INPUT', 'done'],
      ]);
      const { events } = await job.events();
      expect(events.map(({ type }) => type)).toStrictEqual([
        ...['job_started', 'wm_inserted', 'wm_inserted', 'wm_referenced', 'wm_inserted'],
      ]);
    });

    it('after the end of a job, each further call fails with JOB_ENDED', async () => {
      job = await start('ended');
      const batched = job.batched();
      const [ticked, ended] = await Promise.all([batched.tick(), batched.end()]);
      expect(ticked.tick).toBe(1);
      expect(ended).toMatchObject({ status: 'ended', reflective_log_id: expect.any(String) });
      const calls = [batched.tick(), batched.tick(), batched.goal('another')];
      expect(await outcomes(calls)).toStrictEqual(['JOB_ENDED', 'JOB_ENDED', 'JOB_ENDED']);
    });

    it('more calls than a request takes are several requests', async () => {
      job = await start('many');
      const batched = job.batched();
      await Promise.all(
        Array.from({ length: 600 }, (_, value) => batched.insert({ type: 'fact', value })),
      );
      expect(requests).toStrictEqual(['POST commands', 'POST commands']);
      const large = Array.from({ length: 100 }, () =>
        batched.insert({ type: 'fact', value: 'x'.repeat(15_000) }),
      );
      expect(new Set(await outcomes(large))).toStrictEqual(new Set(['done']));
    });

    it('if the service cannot be reached, every call fails with MaceUnreachable', async () => {
      const nowhere = new MaceClient({ baseUrl: 'http://127.0.0.1:1', token: 't', retries: 0 });
      const batched = nowhere.job('nowhere').batched();
      const failures = await Promise.allSettled([batched.tick(), batched.tick()]);
      for (const failure of failures)
        expect(failure).toMatchObject({ reason: { name: 'MaceUnreachable' } });
    });

    it('J9 the refusal of a batch names the index of the refused command', async () => {
      job = await start('named');
      const refused = job.batch([
        { op: 'tick', count: 3 },
        { op: 'tick' },
        { op: 'wm_reference', wm_id: 'wm:nothing:1' },
      ]);
      await expect(refused).rejects.toMatchObject({ code: 'NOT_FOUND', commandIndex: 2 });
    });
  });

  describe('withJob', () => {
    it('returns the result of the work, and ends the job', async () => {
      const result = await mace.withJob(named('work'), async (job) => {
        await job.insert({ type: 'fact', value: 'kept' });
        return 42;
      });
      expect(result).toBe(42);
      expect((await mace.job(named('work')).get()).status).toBe('ended');
    });

    it('reports what was kept and what is gone, unless the work has ended the job itself', async () => {
      const ends: JobEnded[] = [];
      const onEnd = (ended: JobEnded) => ends.push(ended);
      await mace.withJob(named('told'), (job) => job.insert({ type: 'hint', value: 'gone' }), {
        onEnd,
      });
      await mace.withJob(named('untold'), (job) => job.end(), { onEnd });
      expect(ends).toMatchObject([
        { kept: { count: 1 }, expired: { count: 1, items: [{ type: 'hint', content: 'gone' }] } },
      ]);
    });

    it('a goal that cannot be stored is replaced where it has to be', async () => {
      const goal = `Book\u0000 a flight\uD83D`;
      const seed = await mace.withJob({ job_seed: named('strange-goal'), goal }, (job) => job.seed);
      const { jobs } = await mace.jobs.list();
      expect(jobs.find(({ job_seed }) => job_seed === seed)).toMatchObject({
        goal: 'Book\uFFFD a flight\uFFFD',
      });
    });

    it('after an exception, ends the job, tags its log with the error’s code, and throws it again', async () => {
      const failing = mace.withJob({ job_seed: named('failing'), goal: 'fail' }, (job) =>
        job.referenceWm('wm:nothing:1'),
      );
      await expect(failing).rejects.toMatchObject({ code: 'NOT_FOUND' });
      expect((await mace.job(named('failing')).get()).status).toBe('ended');
      const { reflective_logs } = await mace.reflectiveLogs.list({ job_seed: named('failing') });
      const { audit_tags } = await mace.reflectiveLogs.get(reflective_logs[0]!.log_id);
      expect(audit_tags).toStrictEqual(['failed', 'NOT_FOUND']);
    });

    it('tags the log of a job that the work itself has ended, with the error’s name but never its message', async () => {
      const failing = mace.withJob(named('over'), async (job) => {
        await job.end();
        throw new TypeError('ada@example.org is no number');
      });
      await expect(failing).rejects.toThrow(TypeError);
      const { reflective_logs } = await mace.reflectiveLogs.list({ job_seed: named('over') });
      const { audit_tags } = await mace.reflectiveLogs.get(reflective_logs[0]!.log_id);
      expect(audit_tags).toStrictEqual(['failed', 'TypeError']);
    });

    it('throws the error of the work although the end fails too', async () => {
      const broken = new Error('the work failed');
      const failing = mace.withJob(named('lost'), (job) => {
        job.end = () => Promise.reject(new Error('the end failed'));
        throw broken;
      });
      await expect(failing).rejects.toBe(broken);
    });

    it('continues a running job only if it is asked to, and never an ended one', async () => {
      const seed = named('resumed');
      await mace.jobs.start({ job_seed: seed });
      await expect(mace.withJob(seed, () => 1)).rejects.toMatchObject({ code: 'JOB_EXISTS' });
      expect(await mace.withJob(seed, (job) => job.tick(), { resume: true })).toMatchObject({
        tick: 1,
      });
      const again = mace.withJob(seed, (job) => job.tick(), { resume: true });
      await expect(again).rejects.toMatchObject({ code: 'JOB_ENDED' });
    });
  });

  describe('events', () => {
    it('follow yields a job’s events as they come, and with toEnd ends after the last one', async () => {
      const job = mace.job((await mace.jobs.start({ job_seed: named('followed') })).job_seed);
      const types: string[] = [];
      for await (const event of job.follow({ toEnd: true })) {
        types.push(event.type);
        if (event.type === 'job_started') await job.tick();
        if (types.length === 2) await job.end();
      }
      const { events } = await job.events();
      expect(types).toStrictEqual(events.map(({ type }) => type));
    });

    it('events yields the events of several streams after a position, until the signal aborts', async () => {
      const stop = new AbortController();
      const seen: string[] = [];
      await mace.jobs.start({ job_seed: named('first') });
      const after = mace.position!;
      await mace.jobs.start({ job_seed: named('second') });
      for await (const event of mace.events({ after, categories: ['job'], signal: stop.signal })) {
        seen.push(event.stream);
        if (seen.length === 1) await mace.jobs.start({ job_seed: named('third') });
        else stop.abort();
      }
      expect(seen).toStrictEqual([`job-${named('second')}`, `job-${named('third')}`]);
    });

    it('events with until ends there', async () => {
      await mace.jobs.start({ job_seed: named('until-a') });
      const after = mace.position!;
      await mace.jobs.start({ job_seed: named('until-b') });
      const seen: LogEvent[] = [];
      for await (const event of mace.events({ after, until: 'end' })) seen.push(event);
      expect(seen.map(({ stream }) => stream)).toContain(`job-${named('until-b')}`);
    });

    it('a refusal and a service that is not there fail the iteration', async () => {
      const refused = mace.events({ categories: ['audit'] }).next();
      await expect(refused).rejects.toMatchObject({ code: 'PERMISSION_DENIED' });
      const nowhere = new MaceClient({ baseUrl: 'http://127.0.0.1:1', token: 't', retries: 0 });
      await expect(nowhere.events().next()).rejects.toMatchObject({ name: 'MaceUnreachable' });
    });

    it('a stream from the end of the log that is lost before its first event misses nothing', async () => {
      const stop = new AbortController();
      const positions: string[] = [];
      let connections = 0;
      const cutting = await clientOf('agent', {}, async (input, init) => {
        const response = await fetch(input, init);
        connections += 1;
        if (connections > 1) return response;
        const first = await textUpTo(response.body!, 'the stream begins');
        await mace.jobs.start({ job_seed: named('missed') });
        return new Response(first, response);
      });
      const options = { after: 'end', categories: ['job'], signal: stop.signal };
      const onPosition = (position: string): unknown => positions.push(position);
      const seen: LogEvent[] = [];
      for await (const event of cutting.events({ ...options, onPosition })) {
        seen.push(event);
        stop.abort();
      }
      expect(seen.map(({ stream }) => stream)).toStrictEqual([`job-${named('missed')}`]);
      expect(BigInt(positions[0] ?? '')).toBeLessThan(BigInt(seen[0]?.position ?? ''));
    });

    it('a connection that is lost in the middle is opened again, without loss or repeat', async () => {
      const cutting = await clientOf('agent', {}, async (input, init) => {
        const response = await fetch(input, init);
        if (response.headers.get('content-type') !== 'text/event-stream') return response;
        return new Response(cutAfter(response.body!, 2), response);
      });
      const job = cutting.job((await cutting.jobs.start({ job_seed: named('cut') })).job_seed);
      for (let count = 0; count < 5; count += 1) await job.tick();
      await job.end();
      const numbers: number[] = [];
      for await (const event of job.follow({ toEnd: true })) numbers.push(event.number);
      const { version } = await job.get();
      expect(numbers).toStrictEqual(Array.from({ length: version + 1 }, (_, at) => at));
    });
  });

  describe('withMemory', () => {
    const chatOf = (session: string, more = {}) =>
      withMemory(mace, { assistant: 'helper', session_id: named(session), ...more });

    it('a turn sees what earlier turns said, and is recorded with the model’s answer', async () => {
      const chat = chatOf('talk');
      const first = await chat.turn('My timezone is CET.', ({ items }) => `seen ${items.length}`);
      expect(first.answer).toBe('seen 0');
      expect(await first.memory).toStrictEqual({ recalled: [], kept: [], not_kept: [] });
      let prompt = '';
      const { memory } = await chat.turn('When do I sleep?', async (turn) => {
        ({ prompt } = turn);
        return 'At night.';
      });
      await memory;
      expect(prompt).toContain('timezone: CET');
      expect(prompt).toContain('user: My timezone is CET.');
      expect(prompt).toContain('ai: seen 0');
      const { items } = await mace.memory.store('session', named('talk'));
      expect(items.map(({ text }) => text)).toContain('At night.');
    });

    it('the prompt of a long session says once that a summary is about earlier turns', async () => {
      const chat = chatOf('long', { memory: { short_term: 2, semantic: false, profile: false } });
      let prompt = '';
      for (let turn = 0; turn < 5; turn += 1) {
        const { memory } = await chat.turn(`The weather on day ${turn}.`, (recalled) => {
          ({ prompt } = recalled);
          return 'Noted.';
        });
        await memory;
      }
      expect(prompt.match(/Earlier: /g)).toHaveLength(1);
      expect(prompt).not.toContain('system: ');
    });

    it('a streamed answer is passed through, and recorded once it has been read', async () => {
      const chat = chatOf('stream');
      const pieces: string[] = [];
      const { answer, memory } = await chat.turn('Tell me.', async function* () {
        yield 'Once ';
        yield 'upon a time.';
      });
      for await (const piece of answer) pieces.push(piece);
      expect(pieces).toStrictEqual(['Once ', 'upon a time.']);
      await memory;
      const { items } = await mace.memory.store('session', named('stream'));
      expect(items.map(({ text }) => text)).toContain('Once upon a time.');
    });

    it('if the model fails, at once or within its stream, nothing is recorded and its error is thrown', async () => {
      const chat = chatOf('failed');
      const down = new Error('the model is down');
      await (
        await chat.turn('Hello there, model.', () => 'Good morning.')
      ).memory;
      const before = await mace.memory.store('session', named('failed'));
      await expect(chat.turn('And now?', () => Promise.reject(down))).rejects.toBe(down);
      const { answer, memory } = await chat.turn('And then?', async function* () {
        yield 'I ';
        throw down;
      });
      await expect(textOf(answer)).rejects.toBe(down);
      expect(await memory).toMatchObject({ kept: [], failed: [down] });
      expect(await mace.memory.store('session', named('failed'))).toStrictEqual(before);
    });

    it('if the memory fails, the turn fails, or goes on if the error is handled', async () => {
      const stranger = await clientOf('agent', { sub: named('stranger') });
      const options = { assistant: 'helper', session_id: named('talk') };
      const refused = withMemory(stranger, options).turn('Hello?', () => 'Hi.');
      await expect(refused).rejects.toMatchObject({ code: 'PERMISSION_DENIED' });
      const errors: unknown[] = [];
      const chat = withMemory(stranger, { ...options, onMemoryError: (e) => errors.push(e) });
      const { answer, memory } = await chat.turn('Hello?', ({ items }) => `Hi ${items.length}.`);
      expect(answer).toBe('Hi 0.');
      const codes = (some: readonly unknown[] = []) => some.map((one) => (one as MaceError).code);
      expect(codes((await memory).failed)).toStrictEqual([
        'PERMISSION_DENIED',
        'PERMISSION_DENIED',
      ]);
      expect(codes(errors)).toStrictEqual(['PERMISSION_DENIED', 'PERMISSION_DENIED']);
    });

    it('what a user says of themselves is known in the next session, and the turn says what was kept', async () => {
      const user_id = named('ada').toLowerCase();
      const first = await chatOf('first-day', { user_id }).turn(
        'I am allergic to peanuts. What can I eat?',
        () => 'Apples.',
      );
      expect(await first.memory).toMatchObject({
        kept: [{ text: 'I am allergic to peanuts.', existed: false }],
        not_kept: [{ text: 'What can I eat?', reason: 'question' }],
      });
      const next = chatOf('next-day', { user_id });
      const second = await next.turn('Is satay a good idea?', ({ prompt }) => prompt);
      expect(second.answer).toContain('I am allergic to peanuts.');
      expect((await second.memory).recalled).toMatchObject([{ kind: 'memory' }]);
      const alone = await chatOf('third-day', { user_id, keep: false }).turn(
        'I have a boat.',
        ({ prompt }) => prompt,
      );
      expect(alone.answer).not.toContain('peanuts');
      expect((await alone.memory).kept).toStrictEqual([]);
    });

    it('an answer that is neither a text nor a stream is named with what is probably meant', async () => {
      const chat = chatOf('mistakes');
      const turned = (answer: unknown) => chat.turn('Hello', () => answer as string);
      await expect(turned(undefined)).rejects.toThrow(/add return/);
      await expect(turned({ choices: [] })).rejects.toThrow(/choices\[0\]\.message\.content/);
      await expect(turned(7)).rejects.toMatchObject({ argument: 'answer' });
    });
  });
});

/** Reads a streamed answer to its end. */
async function textOf(answer: AsyncIterable<string>): Promise<string> {
  let text = '';
  for await (const piece of answer) text += piece;
  return text;
}

/** Returns a stream's text up to the first block with these words, and closes the stream. */
async function textUpTo(body: ReadableStream<Uint8Array>, words: string): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of body) {
    text += decoder.decode(chunk, { stream: true });
    const end = text.indexOf('\n\n', text.indexOf(words));
    if (text.includes(words) && end > 0) return text.slice(0, end + 2);
  }
  throw new Error(`The stream ended before “${words}”: ${text}`);
}

/** Ends a stream of server-sent events in the middle of the block after the first `count` ones. */
function cutAfter(body: ReadableStream<Uint8Array>, count: number): ReadableStream<Uint8Array> {
  let blocks = 0;
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  return body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        for (const part of decoder.decode(chunk, { stream: true }).split(/(?<=\n\n)/)) {
          if (blocks > count) return;
          blocks += 1;
          if (blocks <= count) controller.enqueue(encoder.encode(part));
          else {
            controller.enqueue(encoder.encode(part.slice(0, 20)));
            controller.terminate();
          }
        }
      },
    }),
  );
}

describe('C1 A client of two instances', () => {
  it('C1 a client sees its own writes on every instance', async () => {
    const servers = { eventStore: await startOwnEventStore(), postgres: await startTestPostgres() };
    const services = [await TestService.start({ servers }), await TestService.start({ servers })];
    const first = services[0]!;
    const token = await first.token('agent');
    let turn = 0;
    /** Sends each request to the other instance than the one before. */
    const alternating: typeof fetch = (input, init) => {
      turn += 1;
      return fetch((input as string).replace(first.url, services[turn % 2]!.url), init);
    };
    const mace = new MaceClient({ baseUrl: first.url, token, fetch: alternating });
    for (let count = 0; count < 25; count += 1) {
      const job_seed = named(`across-${count}`);
      await mace.jobs.start({ job_seed });
      const { jobs } = await mace.jobs.list();
      expect(jobs[0]?.job_seed).toBe(job_seed);
    }
    for (const service of services) await service.stop();
    await servers.eventStore.stop();
    await servers.postgres.stop();
  });
});
