import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { closeSync, openSync, writeFileSync, writeSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { importFile, type ImportSummary } from '#apps/cli/import/import-file.js';
import { MaceClient } from '#client/mace-client.js';
import { ERROR_TABLE, type ErrorCode } from '#domain/errors/error-table.js';
import { DEFAULT_RULES } from '#domain/privacy/rule-set.js';
import { named } from '../support/named.js';
import { TestService } from '../support/service.js';
import { TEST_KEYS } from '../support/test-keys.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { mace } from '#test/support/cli-run.js';

type Outcome = Pick<ImportSummary, 'skipped'> & { readonly named?: RegExp };

const user = (content: unknown, more: object = {}) => ({ role: 'user', content, ...more });
const line = (name: string, messages: unknown, more: object = {}): string =>
  JSON.stringify({ job_seed: named(name), messages, ...more });
/** A call that changes something, and its answer. */
const booked = (more: object = {}, id: unknown = 'c-1', args: unknown = '{"seats":2}') => [
  { role: 'assistant', tool_calls: [{ id, function: { name: 'book_it', arguments: args } }] },
  { role: 'tool', tool_call_id: id, content: '{"id":"R-1"}', ...more },
];
const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
const encoded = (text: string, times: number): string =>
  times === 0 ? text : encoded(Buffer.from(text).toString('base64'), times - 1);

const recorded = (skipped: Record<string, number> = {}): Outcome => ({ skipped });
const refused = (reason: RegExp): Outcome => ({ named: reason, skipped: {} });

/** The lines by what is strange in them; `seed` is the word from which the line's job_seed is made. */
const STRANGE: Readonly<
  Record<string, readonly [(seed: string) => string | Buffer, outcome: Outcome]>
> = {
  'text that is not JSON': [() => 'hello', refused(/not JSON/)],
  'JSON that is cut off': [(seed) => line(seed, [user('a')]).slice(0, -1), refused(/not JSON/)],
  'two objects': [(seed) => line(seed, [user('a')]).repeat(2), refused(/not JSON/)],
  'a list': [() => '[1]', refused(/not a JSON object/)],
  null: [() => 'null', refused(/not a JSON object/)],
  'bytes that are not UTF-8': [
    (seed) => Buffer.concat([Buffer.from(line(seed, [user('a')])), Buffer.from([0xff])]),
    refused(/not UTF-8/),
  ],
  'a byte of value 0': [(seed) => line(seed, [user('a')]).replace('"a"', '"\0"'), refused(/JSON/)],
  'a carriage return at its end': [(seed) => `${line(seed, [user('a')])}\r`, recorded()],
  'a job_seed that is a number': [
    () => JSON.stringify({ job_seed: 5, messages: [user('a')] }),
    refused(/job_seed/),
  ],
  'a job_seed of 129 characters': [
    () => JSON.stringify({ job_seed: 's'.repeat(129), messages: [user('a')] }),
    refused(/job_seed/),
  ],
  'the job_seed ..': [
    () => JSON.stringify({ job_seed: '..', messages: [user('a')] }),
    refused(/job_seed/),
  ],
  'a job_seed with personal data': [
    () => JSON.stringify({ job_seed: '4111-1111-1111-1111', messages: [user('a')] }),
    refused(/PRIVACY_BLOCKED/),
  ],
  'the job_seed of a job of somebody else': [
    () => line('taken', [user('a')]),
    refused(/exists already/),
  ],
  'no messages': [(seed) => line(seed, []), refused(/messages is missing or empty/)],
  'messages that are an object': [(seed) => line(seed, {}), refused(/messages is missing/)],
  'a message that is a text': [(seed) => line(seed, ['a']), refused(/messages\[0\] is not/)],
  'a message without role': [
    (seed) => line(seed, [{ content: 'a' }]),
    refused(/messages\[0\]\.role/),
  ],
  'an unknown role': [
    (seed) => line(seed, [user('a'), { role: 'robot', content: 'a' }]),
    refused(/messages\[1\]\.role/),
  ],
  'a call without a function': [
    (seed) => line(seed, [{ role: 'assistant', tool_calls: [{ id: 'a' }] }]),
    refused(/messages\[0\]\.tool_calls\[0\]/),
  ],
  'content that is a number': [
    (seed) => line(seed, [user(5)]),
    recorded({ 'message field of a wrong type': 1 }),
  ],
  'content that is an object': [
    (seed) => line(seed, [{ role: 'tool', content: { id: 1 } }]),
    recorded({ 'message field of a wrong type': 1 }),
  ],
  'tool_calls that are an object': [
    (seed) => line(seed, [{ role: 'assistant', content: 'a', tool_calls: { id: 'a' } }]),
    recorded({ 'message field of a wrong type': 1 }),
  ],
  'ids and names of a wrong type': [
    (seed) => line(seed, booked({ name: 5 }, 7)),
    recorded({ 'message field of a wrong type': 3 }),
  ],
  'parts that are not text': [
    (seed) =>
      line(seed, [
        user([
          { type: 'text', text: 'Look' },
          { type: 'image_url', image_url: { url: 'https://example.com/a.png' } },
          { type: 'image_url', image_url: { url: 'https://example.com/b.png' } },
          { type: 'input_audio', input_audio: {} },
          { type: 'file', file: {} },
          { type: 'hologram' },
          'text',
        ]),
      ]),
    recorded({ image: 2, audio: 1, file: 1, 'message part that is not text': 2 }),
  ],
  'message fields that the import does not read': [
    (seed) =>
      line(seed, [
        user('a', { name: 'ada', refusal: null, annotations: [], tool_calls: [] }),
        { role: 'assistant', content: 'b', function_call: { name: 'f', arguments: '{}' } },
      ]),
    recorded({ 'message field that is not read': 2 }),
  ],
  'a time that is none': [
    (seed) => line(seed, booked(), { created_at: '2026-02-31T99:00' }),
    recorded(),
  ],
  'fields of more than 200 characters': [
    (seed) => line(seed, booked(), { a: 'x'.repeat(201), b: 'x'.repeat(999), c: 'x'.repeat(200) }),
    recorded({ 'field of more than 200 characters': 2 }),
  ],
  'fields that are lists or objects': [
    (seed) => line(seed, booked(), { a: [1], b: { c: 1 }, d: [] }),
    recorded({ 'field that is a list or an object': 3 }),
  ],
  'fields of a run that changes nothing': [
    (seed) => line(seed, [user('a')], { task_id: 4, reward: 1 }),
    recorded({ 'field of a run without an episode': 2 }),
  ],
  'a name that stands twice': [
    (seed) => line(seed, booked(), { task: 1 }).replace('"task":1', '"task":1,"task":2'),
    recorded({ 'field that another of the same name replaces': 1 }),
  ],
  'messages that stand twice': [
    (seed) =>
      line(seed, [user('kept')]).replace('"messages"', '"messages":[{"role":"user"}],"messages"'),
    recorded({ 'field that another of the same name replaces': 2 }),
  ],
  'a name that stands twice in arguments and in an answer': [
    (seed) =>
      line(seed, booked({ content: '{"a\\"":{"b":1},"a\\"":2}' }, 'c-1', '{"s":1, "s" :2}')),
    recorded({ 'field that another of the same name replaces': 3 }),
  ],
  'a fraction with more digits than a double': [
    (seed) =>
      line(seed, booked({ content: '{"sum":0.123456789012345678901,"n":"1234567890123456789"}' })),
    recorded({ 'fraction rounded to 17 digits': 1 }),
  ],
  'U+0000 in a statement': [
    (seed) => line(seed, [user('nul \0')]),
    recorded({ 'user statement that memory cannot carry': 1 }),
  ],
  'a lone surrogate in an answer': [
    (seed) => line(seed, [{ role: 'tool', content: '{"a":"\\ud800","b":1}' }]),
    recorded({ 'tool result that memory cannot carry': 1 }),
  ],
  'U+0000 and a lone surrogate in ids of calls': [
    (seed) => line(seed, [...booked({}, 'c\0'), ...booked({}, '\ud800')]),
    recorded({ 'tool call id that memory cannot carry': 2 }),
  ],
  'an id of a call of 300,000 characters': [
    (seed) => line(seed, booked({}, 'c'.repeat(300_000))),
    recorded({ 'episode that is too large for memory': 1 }),
  ],
  'an integer outside ±2^53': [
    (seed) => line(seed, booked(), { seed: 1 }).replace('"seed":1', '"seed":12345678901234567890'),
    recorded({ 'field that memory cannot carry': 1 }),
  ],
  'fields with U+0000 and a lone surrogate': [
    (seed) => line(seed, booked(), { a: 'nul \0', 'b\ud800': 1, c: 1 }),
    recorded({ 'field that memory cannot carry': 2 }),
  ],
  'a number that is too large': [
    (seed) => line(seed, [{ role: 'tool', content: '{"a":1e400,"b":1}' }]),
    recorded({ 'tool result that memory cannot carry': 1 }),
  ],
  'an answer nested deeper than 64': [
    (seed) => line(seed, [{ role: 'tool', content: nested(100_000) }]),
    recorded({ 'tool result that memory cannot carry': 1 }),
  ],
  'a field nested deeper than 64': [
    (seed) => `${line(seed, booked()).slice(0, -1)},"deep":${nested(100_000)}}`,
    recorded({ 'field that is a list or an object': 1 }),
  ],
  'arguments nested deeper than 64': [
    (seed) => line(seed, booked({}, 'c-1', nested(100_000))),
    recorded({ 'episode that memory cannot carry': 1 }),
  ],
  'a statement of 20,000 characters': [
    (seed) => line(seed, [user('x'.repeat(20_000))]),
    recorded({ 'user statement of more than 16 KB that has no fields to be cut into': 1 }),
  ],
  'a statement that is too long once it is sealed': [
    (seed) => line(seed, [user(`ada@example.com ${'word '.repeat(2_900)}`)]),
    recorded({ 'user statement that is too large for memory': 1 }),
  ],
  'bytes that are too long once they are sealed': [
    (seed) => line(seed, [user(`data:image/png;base64,${randomBytes(10_000).toString('base64')}`)]),
    recorded({ 'user statement that is too large for memory': 1 }),
  ],
  'an answer of 300,000 characters to a call that changes something': [
    (seed) => line(seed, booked({ content: 'word '.repeat(60_000) })),
    recorded({
      'episode with a payload of more than 256 KB': 1,
      'tool result of more than 16 KB that has no fields to be cut into': 1,
    }),
  ],
  'a payload that is too long once it is redacted': [
    (seed) =>
      line(
        seed,
        booked(
          {},
          'c-1',
          JSON.stringify(Array.from({ length: 8_000 }, (_, at) => `user${at}@a.io`)),
        ),
      ),
    recorded({ 'episode that is too large for memory': 1 }),
  ],
  'a statement whose text is encoded many times': [
    (seed) => line(seed, [user(encoded('call me at 555', 6)), user('Bye')]),
    recorded({ 'user statement that cannot be scanned for personal data': 1 }),
  ],
  'arguments whose text is encoded many times': [
    (seed) => line(seed, booked({}, 'c-1', JSON.stringify({ a: encoded('call me at 555', 6) }))),
    recorded({ 'episode that cannot be scanned for personal data': 1 }),
  ],
  'personal data that is much longer than what replaces it': [
    (seed) =>
      line(
        seed,
        Array.from({ length: 40 }, (_, at) =>
          booked(
            {},
            `c-${at}`,
            JSON.stringify({ password: Array.from({ length: 3 }, () => 'pw'.repeat(12_000)) }),
          ),
        ).flat(),
      ),
    recorded(),
  ],
  'the name __proto__': [
    (seed) =>
      line(seed, booked({ content: '{"__proto__":{"a":1}}' })).replace(
        '{"job',
        '{"__proto__":1,"job',
      ),
    recorded(),
  ],
};

describe('mace import, given a file with a strange line', () => {
  const folder = temporaryFolder('import-strange');
  let files = 0;
  const file = (...lines: readonly (string | Buffer)[]): string => {
    const path = join(folder.path, `${++files}.jsonl`);
    const out = openSync(path, 'w');
    for (const [at, text] of lines.entries()) {
      if (at > 0) writeSync(out, '\n');
      writeSync(out, typeof text === 'string' ? Buffer.from(text) : text);
    }
    closeSync(out);
    return path;
  };
  let service: TestService;
  let client: MaceClient;
  let auditor: MaceClient;

  beforeAll(async () => {
    service = await TestService.start({ ownLog: true });
    client = new MaceClient({ baseUrl: service.url, token: await service.token(['agent']) });
    auditor = new MaceClient({ baseUrl: service.url, token: await service.token(['auditor']) });
    const token = await service.token(['agent'], { sub: 'somebody-else' });
    await new MaceClient({ baseUrl: service.url, token }).jobs.start({ job_seed: named('taken') });
  });
  afterAll(async () => {
    await service.stop();
    folder.remove();
  });

  const imported = (path: string): Promise<ImportSummary> =>
    importFile(client, path, {
      changingPrefixes: ['book_'],
      user: null,
      rules: DEFAULT_RULES,
      concurrency: 1,
      signal: new AbortController().signal,
      onLine: () => undefined,
    });
  const byMace = (path: string, url = service.url) =>
    mace(['import', path, '--url', url], { MACE_JWT_SECRET: TEST_KEYS.MACE_JWT_SECRET });
  const statusOf = async (seed: string): Promise<string> =>
    (await auditor.job(named(seed)).get()).status;

  it.each(Object.entries(STRANGE))(
    'records a line with %s, names it, or counts what it leaves out; and records the next line',
    async (what, [of, outcome]) => {
      const seed = `strange-${Object.keys(STRANGE).indexOf(what)}`;
      const good = line(`${seed}-next`, [user('Good morning')]);
      const summary = await imported(file(of(seed), good));
      expect(await statusOf(`${seed}-next`)).toBe('ended');
      expect(summary.skipped).toStrictEqual(outcome.skipped);
      expect(summary.failed.map(({ line: number, reason }) => [number, reason])).toStrictEqual(
        outcome.named === undefined ? [] : [[1, expect.stringMatching(outcome.named)]],
      );
      expect(summary.runs).toBe(outcome.named === undefined ? 2 : 1);
      if (outcome.named === undefined) expect(await statusOf(seed)).toBe('ended');
    },
  );

  it('records a line after a byte order mark, and a last line without a line feed', async () => {
    const path = file(`\uFEFF${line('bom', [user('a')])}`, '', ' \r', line('last', [user('b')]));
    const { runs, failed } = await imported(path);
    expect([runs, failed]).toStrictEqual([2, []]);
  });

  it('names a line that repeats a job_seed of the file', async () => {
    const path = file(line('again', [user('a')]), line('again', [user('b')]));
    const { runs, failed } = await imported(path);
    expect([runs, failed.map((each) => each.line)]).toStrictEqual([1, [2]]);
  });

  it.each([
    ['is empty', ''],
    ['has only line feeds', '\n\r\n\n'],
    ['has only a byte order mark', '\uFEFF'],
  ])('says that a file is empty if it %s', async (_, text) => {
    const { code, stderr } = await byMace(file(text));
    expect([code, stderr]).toStrictEqual([2, expect.stringMatching(/is empty/)]);
  });

  it('names a line of 70 MB without holding it, and records the lines around it', async () => {
    const long = Buffer.alloc(70 * 1024 * 1024, 'x');
    const path = file(line('before', [user('a')]), long, line('after', [user('b')]));
    const { code, stdout } = await byMace(path);
    expect(stdout).toMatch(/line 2: INVALID_INPUT: longer than 64 MiB/);
    expect(code).toBe(1);
    expect([await statusOf('before'), await statusOf('after')]).toStrictEqual(['ended', 'ended']);
  });

  it('counts in its last lines what it left out, and after a mend records the named line alone', async () => {
    const good = line('mend-good', [user([{ type: 'text', text: 'a' }, { type: 'image_url' }])]);
    const path = file(good, line('mend-bad', [{ role: 'robot' }]));
    const first = await byMace(path);
    expect(first.code).toBe(1);
    expect(first.stdout).toMatch(/Left out\s+1 × image.* \(line 1\)/);
    expect(first.stdout).toMatch(/1 line was not imported, so the exit code is 1\./);
    expect(first.stdout).not.toMatch(/Already there/);
    expect(first.stdout).toMatch(/Refused\s+line 2: INVALID_INPUT: messages\[0\]\.role/);
    const version = async () => (await auditor.job(named('mend-good')).get()).version;
    const before = await version();
    writeFileSync(path, [good, line('mend-bad', [user('b')])].join('\n'));
    const second = await byMace(path);
    expect([second.stderr, second.code]).toStrictEqual([second.stderr, 0]);
    expect(await version()).toBe(before);
    expect(second.stdout).toMatch(/Already there, with nothing added: 1 run\./);
    expect(await statusOf('mend-bad')).toBe('ended');
  });

  /** Runs `use` with a proxy that answers with an error whenever a body names the job, and otherwise forwards. */
  async function failingFor<Result>(
    seed: string,
    code: ErrorCode,
    use: (url: string) => Promise<Result>,
  ): Promise<Result> {
    const { status, ...messages } = ERROR_TABLE[code];
    const envelope = { error_code: code, status, ...messages, meta: { trace_id: 'trace' } };
    const proxy = createServer((request, response) => {
      void (async () => {
        const body = Buffer.concat(await request.toArray());
        const fails = body.includes(seed);
        const { authorization = '', 'idempotency-key': key = '' } = request.headers;
        const headers = { authorization, 'content-type': 'application/json' };
        const answer = fails
          ? { status, text: () => JSON.stringify(envelope) }
          : await fetch(service.url + request.url, {
              method: request.method ?? 'GET',
              headers: { ...headers, ...(key === '' ? {} : { 'idempotency-key': String(key) }) },
              ...(body.length === 0 ? {} : { body }),
            });
        response.writeHead(answer.status, { 'retry-after': '3600' }).end(await answer.text());
      })();
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    try {
      return await use(`http://127.0.0.1:${(proxy.address() as AddressInfo).port}`);
    } finally {
      proxy.closeAllConnections();
      proxy.close();
    }
  }

  it('names a run at which the service fails, records the others, and records the run the next time', async () => {
    const path = file(line('broken', [user('a')]), line('whole', [user('b')]));
    const first = await failingFor(named('broken'), 'INTERNAL', (url) => byMace(path, url));
    expect(first.stdout).toMatch(/line 1 \(broken_\w+\): INTERNAL: .* \(trace trace\)/);
    expect(first.code).toBe(1);
    expect(await statusOf('whole')).toBe('ended');
    const second = await byMace(path);
    expect([second.stderr, second.code]).toStrictEqual([second.stderr, 0]);
    expect(await statusOf('broken')).toBe('ended');
  });

  it.each(['RATE_LIMITED', 'STORAGE_FULL', 'UNAUTHENTICATED'] as const)(
    'stops, and goes on with the same command, if the service answers %s, which concerns every run',
    async (code) => {
      const seed = `every-${code.toLowerCase().replace('_', '-')}`;
      const path = file(line(seed, [user('a')]));
      const first = await failingFor(named(seed), code, (url) => byMace(path, url));
      expect([first.code, first.stderr]).toStrictEqual([
        2,
        expect.stringMatching(/Give the same command again/),
      ]);
      expect((await byMace(path)).code).toBe(0);
    },
  );
});
