import { aLog } from '#test/support/reflective-logs.js';

/** A request that takes the service as long as a caller can make it take. */
export interface WorstRequest {
  readonly name: string;
  readonly method: 'POST' | 'PUT';
  readonly path: string;
  readonly body: string;
  readonly isWithoutToken?: boolean;
}

const MB = 1_000_000;
const KB = 1_000;
/** Short leaves that many rules look at. */
const leaves = (bytes: number): string[] =>
  Array.from({ length: Math.floor(bytes / 8) }, (_, place) => `${place % 10}@é`);
const hostileText = (characters: number): string =>
  'call 020 7946 '.repeat(characters).slice(0, characters);
const fields = (count: number): Record<string, number> =>
  Object.fromEntries(Array.from({ length: count }, (_, place) => [`k${place}@`, place]));

const turn = {
  assistant: 'helper',
  session_id: 'flood',
  memory: { short_term: 4, semantic: true, profile: true },
};
const checkpoint = (values: Record<string, unknown>) => ({
  thread_id: 'flood',
  checkpoint_id: 'flood',
  checkpoint: { v: 4 },
  metadata: {},
  channel_versions: Object.fromEntries(Object.keys(values).map((channel) => [channel, 1])),
  channel_values: values,
});

/** For each kind of route, the worst body that it accepts, and the worst that it refuses. */
export const worstRequests = (seed: string): readonly WorstRequest[] => {
  const request =
    (method: 'POST' | 'PUT', path: string) =>
    (name: string, body: unknown): WorstRequest => ({
      name,
      method,
      path,
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
  const note = request('PUT', '/v1/notes');
  const noteOf = (value: unknown) => ({ namespace: ['flood'], key: 'flood', value });
  const fact = request('PUT', '/v1/sem/world/flood/flood/flood');
  const commands = request('POST', `/v1/jobs/${seed}/commands`);
  const items = request('POST', '/v1/conversations/flood/items');
  const put = request('PUT', '/v1/threads/checkpoints');
  const insert = { op: 'wm_insert', type: 'hint', value: leaves(11 * KB) };
  return [
    note('a number of 1,000,000 digits', `{"a":[1${'0'.repeat(MB - 20)}1]}`),
    note(
      '2,500 numbers of 400 digits',
      `{"a":[${Array(2_500)
        .fill(`1${'0'.repeat(390)}1`)
        .join()}]}`,
    ),
    note('500,000 values', `{"a":[${'1,'.repeat(MB / 2 - 10)}1]}`),
    note('95,000 values in a note', noteOf(leaves(8 * 95_000))),
    note('a note of 64 KB in short leaves', noteOf(leaves(50 * KB))),
    note('a note of 64 KB in one text', noteOf(hostileText(64 * KB))),
    fact('a fact of 1 MB', { value: leaves(8 * 95_000) }),
    fact('a fact with 45,000 fields of meta', { value: 1, meta: fields(45_000) }),
    commands('60 inserts of 16 KB', { commands: Array(60).fill(insert) }),
    commands('an insert of 1 MB', { commands: [{ ...insert, value: leaves(8 * 95_000) }] }),
    request('POST', `/v1/jobs/${seed}/episodes`)(
      'an episode with 256 KB of payload and of evidence',
      {
        summary: 'flood',
        payload: hostileText(255 * KB),
        evidence: [{ of: leaves(200 * KB) }],
      },
    ),
    items('18 items of 50 KB', { items: Array.from({ length: 18 }, () => leaves(36 * KB)) }),
    items('450 items of 2 KB', { items: Array.from({ length: 450 }, () => hostileText(1_900)) }),
    put(
      'a checkpoint with 500 channels',
      checkpoint(
        Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`c${at}`, leaves(1_400)])),
      ),
    ),
    put('a checkpoint with 45,000 versions', {
      ...checkpoint({}),
      channel_versions: fields(45_000),
    }),
    put('a checkpoint with one channel of 900 KB', checkpoint({ c: hostileText(900 * KB) })),
    request('POST', '/v1/memory/interactions')('a turn with 64 KB of tools', {
      ...turn,
      user_text: hostileText(16_384),
      ai_text: hostileText(16_384),
      tool_events: [leaves(46 * KB)],
    }),
    request('POST', '/v1/queries')('a question of 16,000 characters', {
      query_text: hostileText(16_000),
    }),
    request('POST', '/v1/search')('a search of 16,000 characters', {
      query: '"a b" -c '.repeat(1_700),
    }),
    request('POST', '/v1/reflective-logs')('a posted log of 900 KB', {
      ...aLog({ job_seed: 'flood', final_answer: leaves(600 * KB) as never }),
    }),
    request('POST', '/mcp')('a call of a tool with 1 MB', {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'remember', arguments: { text: leaves(8 * 90_000) } },
    }),
    {
      ...request('POST', '/v1/unknown')('1 MB without a token', `[${'1,'.repeat(MB / 2 - 10)}1]`),
      isWithoutToken: true,
    },
  ];
};
