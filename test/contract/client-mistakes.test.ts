import { describe, expect, it } from '@jest/globals';
import { type ChatOptions, MaceClient, type MaceClientOptions, withMemory } from '#client/index.js';

const URL_OF_SERVICE = 'http://127.0.0.1:3000';

class Trip {
  readonly to = 'Oslo';
}

const cyclic: Record<string, unknown> = {};
cyclic['again'] = [cyclic];

type Name =
  | 'actionRequests'
  | 'append'
  | 'ask'
  | 'batch'
  | 'batched'
  | 'conversation'
  | 'episodes'
  | 'events'
  | 'forgetWm'
  | 'get'
  | 'goal'
  | 'history'
  | 'insert'
  | 'job'
  | 'jobs'
  | 'list'
  | 'notes'
  | 'propose'
  | 'put'
  | 'queries'
  | 'query'
  | 'recheck'
  | 'referenceWm'
  | 'search'
  | 'sem'
  | 'start'
  | 'tick'
  | 'vote'
  | 'withJob';

/** The client as a program without types has it, which can make every mistake. */
interface Untyped extends Readonly<Record<Name, Untyped>> {
  (...given: readonly unknown[]): Untyped;
}

let sent = 0;
const untyped = (options: unknown): Untyped =>
  new MaceClient(options as MaceClientOptions) as unknown as Untyped;
const client = (options: Record<string, unknown> = {}): Untyped =>
  untyped({
    baseUrl: URL_OF_SERVICE,
    token: 'token',
    fetch: () => {
      sent += 1;
      return Promise.reject(new TypeError('fetch failed'));
    },
    ...options,
  });
const mace = client();
const job = mace.job('a');
const chatOf = (options: unknown) =>
  withMemory(mace as unknown as MaceClient, options as ChatOptions);

type Mistake = readonly [what: string, make: () => unknown, message: string];

const clients: readonly Mistake[] = [
  ['no options', () => untyped(undefined), 'options must be an object; it is undefined'],
  ['no token', () => client({ token: undefined }), 'options.token must be a bearer token'],
  ['an empty token', () => client({ token: '' }), 'options.token must be a bearer token'],
  ['a token with its scheme', () => client({ token: 'Bearer a' }), 'options.token must be'],
  ['a token with a line feed', () => client({ token: 'a\n' }), 'options.token must be'],
  ['an object as the token', () => client({ token: { token: 'a' } }), 'it is an object.'],
  ['no base URL', () => client({ baseUrl: undefined }), 'such as http://127.0.0.1:3000; it is un'],
  ['a host as base URL', () => client({ baseUrl: 'localhost:3000' }), 'options.baseUrl must be'],
  ['a base URL with a user', () => client({ baseUrl: 'http://a:b@c' }), 'options.baseUrl must be'],
  ['a URL object as base URL', () => client({ baseUrl: new URL('http://a') }), 'of the class URL'],
  ['a misspelt option', () => client({ baseURL: 'http://a' }), 'options.baseURL must be left out'],
  ['retries that are no number', () => client({ retries: NaN }), 'options.retries must be a whole'],
  ['an endless timeout', () => client({ timeoutMs: Infinity }), 'options.timeoutMs must be'],
  ['an unknown consistency', () => client({ consistency: 'strong' }), 'own-writes or eventual'],
  ['a fetch that is no function', () => client({ fetch: {} }), 'options.fetch must be a function'],
];

const calls: readonly Mistake[] = [
  ['a token function without a token', () => client({ token: () => undefined }).jobs.list(), 'options.token() must be'], // prettier-ignore
  ['undefined as a seed', () => mace.job(undefined), 'seed must be a text'],
  ['an object as a seed', () => mace.job({ job_seed: 'a' }), 'seed must be a text'],
  ['a bigint as a seed', () => mace.job(1n), 'it is a bigint.'],
  ['a text as a job', () => mace.jobs.start('a'), 'job must be a plain object'],
  ['a value as an entry', () => job.insert('blue'), 'entry must be a plain object; it is another'],
  ['a Map as an entry', () => job.insert(new Map()), 'it is an object of the class Map'],
  [
    'a bigint in a value',
    () => job.insert({ type: 'fact', value: { n: 1n } }),
    'value.n cannot be',
  ],
  ['NaN in a value', () => job.insert({ type: 'fact', value: [NaN] }), 'value[0] cannot be stored'],
  [
    'a function in a value',
    () => job.insert({ type: 'fact', value: () => 1 }),
    'it is a function.',
  ],
  ['an instance in a value', () => job.insert({ type: 'fact', value: new Trip() }), 'class Trip.'],
  [
    'a Map in a value',
    () => job.insert({ type: 'fact', value: new Map() }),
    'a plain object instead',
  ],
  ['a cyclic value', () => job.insert({ type: 'fact', value: cyclic }), 'value.again[0] cannot be'],
  ['undefined as an entry’s id', () => job.referenceWm(undefined), 'wmId must be a text'],
  ['a text as a number of ticks', () => job.tick('2'), 'count must be a whole number'],
  ['an object as a goal', () => job.goal({ goal: 'a' }), 'goal must be a text; it is an object.'],
  ['one command as a batch', () => job.batch({ op: 'tick' }), 'commands must be a list of objects'],
  ['a batched goal that is no text', () => job.batched().goal(7), 'goal must be a text'],
  ['a batched id that is missing', () => job.batched().forgetWm(), 'wmId must be a text'],
  ['work that is no function', () => mace.withJob('a', 1), 'work must be a function'],
  ['a job without a start', () => mace.withJob(undefined, () => 1), 'start must be a plain object'],
  ['no key of a fact', () => mace.sem.get(undefined), 'key must be a text'],
  ['an object as the key of a fact', () => mace.sem.put({}, { value: 1 }), 'key must be a text'],
  ['a bare value as a fact', () => mace.sem.put('a/b/c/d', 'blue'), 'fact must be a plain object'],
  ['no value of a note', () => mace.notes.put(['a'], 'b'), 'value must be JSON'],
  ['a text as a namespace', () => mace.notes.get('a', 'b'), 'namespace must be a list of texts'],
  ['no name of a note', () => mace.notes.history(), 'note must be a plain object'],
  ['one item in place of a list', () => mace.conversation('a').append({}), 'items must be a list'],
  ['no proposal', () => mace.actionRequests.propose(), 'proposal must be a plain object'],
  ['a text as a vote', () => mace.actionRequests.vote('a', 'approve'), 'vote must be a plain'],
  ['an object as a question', () => mace.actionRequests.ask('a', {}), 'question must be a text'],
  [
    'one id in place of a list',
    () => mace.actionRequests.recheck('a'),
    'requestIds must be a list',
  ],
  ['a text as a search', () => mace.search('flight'), 'request must be a plain object'],
  ['a text as a question', () => mace.queries.ask('where?'), 'query must be a plain object'],
  ['a text as an episode query', () => mace.episodes.query('flight'), 'query must be a plain'],
  ['an object in a filter', () => mace.jobs.list({ limit: {} }), 'limit must be a text, a number'],
  ['NaN in a filter', () => mace.jobs.list({ limit: NaN }), 'limit must be a text, a number'],
  [
    'a signal that is none',
    () => mace.jobs.list({}, { signal: {} }),
    'options.signal must be an Ab',
  ],
  ['a text as options', () => mace.jobs.list({}, 'eventual'), 'options must be an object'],
  ['a number as a position', () => mace.jobs.list({}, { after: 7 }), 'options.after must be'],
  ['spaces in an Idempotency-Key', () => job.tick(1, { idempotencyKey: 'a b' }), 'without spaces'],
  ['a bad trace context', () => job.tick(1, { traceparent: '1' }), 'options.traceparent must be'],
  ['a text as categories', () => mace.events({ categories: 'job' }), 'options.categories must be'],
  ['a number as a position to follow', () => mace.events({ after: 3 }), 'options.after must be'],
  ['a chat without options', () => chatOf(undefined), 'options must be an'],
  ['a chat without a session', () => chatOf({ assistant: 'a' }), 'options.session_id must be'], // prettier-ignore
];

describe('A mistake in a call of the SDK', () => {
  it.each([...clients, ...calls])(
    '%s is a TypeError that names the argument, and nothing is sent',
    async (_, make, message) => {
      sent = 0;
      const error = await (async () => make())().catch((failure: unknown) => failure);
      expect(error).toBeInstanceOf(TypeError);
      expect((error as Error).message).toContain(message);
      expect(sent).toBe(0);
    },
  );

  it.each(clients)('%s is refused by the constructor', (_, make) => {
    expect(make).toThrow(TypeError);
  });

  it('an error of the function that returns the token is thrown as it is, and nothing is sent', async () => {
    sent = 0;
    const failing = client({ token: () => Promise.reject(new Error('The vault is sealed.')) });
    const listed = (async () => failing.jobs.list())();
    await expect(listed).rejects.toThrow(/^The vault is sealed\.$/);
    expect(sent).toBe(0);
  });

  it('the message never has the value', () => {
    expect(() => job.goal({ secret: 'hunter2' })).toThrow(
      /^goal must be a text; it is an object\.$/,
    );
  });
});
