import { describe, expect, it } from '@jest/globals';
import {
  type ChatOptions,
  MaceClient,
  type MaceClientOptions,
  personMemory,
  type PersonMemoryOptions,
  withMemory,
} from '#client/index.js';

const URL_OF_SERVICE = 'http://127.0.0.1:3000';

class Trip {
  readonly to = 'Oslo';
}

const cyclic: Record<string, unknown> = {};
cyclic['again'] = [cyclic];

type Name =
  | 'actionRequests'
  | 'all'
  | 'append'
  | 'ask'
  | 'assign'
  | 'batch'
  | 'batched'
  | 'before'
  | 'bundle'
  | 'clear'
  | 'conversation'
  | 'delete'
  | 'end'
  | 'episodes'
  | 'events'
  | 'figures'
  | 'follow'
  | 'forget'
  | 'forgetAll'
  | 'forgetWm'
  | 'get'
  | 'goal'
  | 'history'
  | 'insert'
  | 'items'
  | 'job'
  | 'jobs'
  | 'list'
  | 'memories'
  | 'memory'
  | 'next'
  | 'notes'
  | 'of'
  | 'ofStream'
  | 'phaseDiff'
  | 'propose'
  | 'put'
  | 'putCheckpoint'
  | 'queries'
  | 'query'
  | 'reads'
  | 'recall'
  | 'recheck'
  | 'referenceWm'
  | 'remember'
  | 'replay'
  | 'reviews'
  | 'reword'
  | 'search'
  | 'sem'
  | 'snapshot'
  | 'snooze'
  | 'start'
  | 'store'
  | 'stores'
  | 'threads'
  | 'tick'
  | 'vote'
  | 'why'
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

const personOf = (options: unknown) =>
  personMemory(mace as unknown as MaceClient, options as PersonMemoryOptions);

type Mistake = readonly [what: string, make: () => unknown, message: string];

const clients: readonly Mistake[] = [
  [
    'no options',
    () => untyped(undefined),
    'options must be an object with baseUrl (an http or https URL without user, query, fragment and /v1, such as http://127.0.0.1:3000), token, and if you like fetch (a function), retries (a whole number from 0 on), timeoutMs (a number of milliseconds from 1 to 2147483647), consistency (own-writes or eventual); it is undefined.',
  ],
  ['no token', () => client({ token: undefined }), 'options.token must be a bearer token'],
  ['an empty token', () => client({ token: '' }), 'options.token must be a bearer token'],
  ['a token with its scheme', () => client({ token: 'Bearer a' }), 'options.token must be'],
  ['a token with a line feed', () => client({ token: 'a\n' }), 'options.token must be'],
  ['an object as the token', () => client({ token: { token: 'a' } }), 'it is an object.'],
  ['no base URL', () => client({ baseUrl: undefined }), 'such as http://127.0.0.1:3000; it is un'],
  ['a host as base URL', () => client({ baseUrl: 'localhost:3000' }), 'options.baseUrl must be'],
  ['a base URL with a user', () => client({ baseUrl: 'http://a:b@c' }), 'options.baseUrl must be'],
  ['a URL object as base URL', () => client({ baseUrl: new URL('http://a') }), 'of the class URL'],
  [
    'a misspelt option',
    () => client({ baseURL: 'http://a' }),
    'left out, or be named baseUrl, an http or https URL',
  ],
  [
    'an option in snake_case',
    () => client({ base_url: 'http://a' }),
    'or be named baseUrl, an http',
  ],
  ['an option of another SDK', () => client({ apiKey: 'a' }), 'left out: known are baseUrl, token'],
  [
    'a base URL with /v1',
    () => client({ baseUrl: 'http://a/v1' }),
    'options.baseUrl must be an http',
  ],
  [
    'a base URL with /v1/',
    () => client({ baseUrl: 'http://a/b/v1/' }),
    'fragment and /v1, such as',
  ],
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
  [
    'a text as a job',
    () => mace.jobs.start('a'),
    'job must be a plain object such as { job_seed: "trip-1", goal: "Book a hotel in Oslo." }, with any of job_seed, session_id, user_id, seeded_epoch, goal, constants, or be left out; it is a text.',
  ],
  [
    'a value as an entry',
    () => job.insert('blue'),
    'entry must be a plain object such as { type: "fact", value: "The office moved to Porto." }, with type, value, and if you like ttl_ticks; it is a text.',
  ],
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
  [
    'undefined as an entry’s id',
    () => job.referenceWm(undefined),
    'wmId must be the wm_id that insert answers: a text',
  ],
  ['a text as a number of ticks', () => job.tick('2'), 'count must be a whole number'],
  ['an object as a goal', () => job.goal({ goal: 'a' }), 'goal must be a text; it is an object.'],
  [
    'one command as a batch',
    () => job.batch({ op: 'tick' }),
    'commands must be a list of commands, such as [{ op: "tick" }]; it is an object.',
  ],
  ['a batched goal that is no text', () => job.batched().goal(7), 'goal must be a text'],
  [
    'a batched id that is missing',
    () => job.batched().forgetWm(),
    'wmId must be the wm_id that insert answers: a text',
  ],
  ['work that is no function', () => mace.withJob('a', 1), 'work must be a function'],
  [
    'a job without a start',
    () => mace.withJob(undefined, () => 1),
    'start must be the seed of a job, or a plain object such as { job_seed: "trip-1", goal: "Book a hotel in Oslo." }, with any of job_seed, session_id, user_id, seeded_epoch, goal, constants; it is undefined.',
  ],
  [
    'no key of a fact',
    () => mace.sem.get(undefined),
    'key must be the key of a fact, such as "world/city/oslo/population"; it is',
  ],
  [
    'an object as the key of a fact',
    () => mace.sem.put({}, { value: 1 }),
    'key must be the key of a fact, such as "world/city/oslo/population"; it is',
  ],
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
  [
    'an object in a filter',
    () => mace.jobs.list({ limit: {} }),
    'limit must be a whole number from 1 to 500, or be left out; it is an object.',
  ],
  [
    'NaN in a filter',
    () => mace.jobs.list({ limit: NaN }),
    'limit must be a whole number from 1 to 500, or be left out; it is NaN.',
  ],
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
  ['nothing to remember', () => mace.remember(undefined), 'text must be a text, or a plain object'],
  [
    'null to remember',
    () => mace.remember(null),
    'text must be a text, or a plain object with any of text, said, user_id, tags, expires_in (a whole number of seconds); it is null.',
  ],
  [
    'a list to remember',
    () => mace.remember(['a']),
    'text must be a text, or a plain object with any of text, said, user_id, tags, expires_in (a whole number of seconds); it is a list.',
  ],
  ['a message in place of words', () => mace.remember(new Trip()), 'it is an object of the class'],
  [
    'a number to recall',
    () => mace.recall(5),
    'query must be a text, or a plain object with any of query, user_id, limit',
  ],
  [
    'null to recall',
    () => mace.recall(null),
    'query must be a text, or a plain object with any of query, user_id, limit (a whole number from 0 on), max_chars (a whole number from 0 on), tags, shared (true or false), as_of (the text of a position in the log, such as "6137"), at (a time of RFC 3339, such as "2026-01-31T12:00:00Z", or the position of an event, a text of digits), record_in (the seed of a job, a text), or be left out; it is null.',
  ],
  ['a field in camelCase', () => mace.remember({ text: 'a', userId: 'ada' }), 'request.userId must be left out, or be named user_id'], // prettier-ignore
  [
    'a misspelt field',
    () => mace.recall({ query: 'a', limits: 5 }),
    'out, or be named limit, a whole number from 0 on; it is',
  ],
  [
    'a field of another SDK',
    () => mace.remember({ content: 'a' }),
    'known are text, said, user_id',
  ],
  ['a person of undefined', () => mace.remember({ text: 'a', user_id: undefined }), 'request.user_id must be a text, or left out for the person of the token'], // prettier-ignore
  ['a person of null', () => mace.recall({ query: 'a', user_id: null }), 'request.user_id must be'],
  ['a number as a person', () => mace.remember({ text: 'a', user_id: 42 }), 'request.user_id must'],
  [
    'one tag in place of a list',
    () => mace.remember({ text: 'a', tags: 'b' }),
    'request.tags must',
  ],
  ['a time at which to expire', () => mace.remember({ text: 'a', expires_in: new Date(0) }), 'request.expires_in must be a whole number'], // prettier-ignore
  ['a limit as text', () => mace.recall({ limit: '5' }), 'request.limit must be a whole number'],
  [
    'a position as a number',
    () => mace.recall({ as_of: 5 }),
    'request.as_of must be the text of a position in the log, such as "6137", or be left out; it is a number.',
  ],
  ['the person beside a text', () => mace.remember('a', { user_id: 'ada' }), 'options.user_id must be given in the first argument, as in { text, user_id }'], // prettier-ignore
  [
    'the limit beside a query',
    () => mace.recall('a', { limit: 5 }),
    'as in { query, limit }; it is',
  ],
  ['the person alone as forget’s options', () => mace.forget('mem:a', 'ada'), 'options must be an'],
  [
    'a person in camelCase',
    () => mace.forget('mem:a', { userId: 'a' }),
    'be named user_id, a text; it is',
  ],
  [
    'no memory to forget',
    () => mace.forget(),
    'id must be the id of a memory, such as "mem:…"; it is undefined.',
  ],
  [
    'a memory to forget',
    () => mace.forget({ id: 'mem:a' }),
    'id must be the id of a memory, such as "mem:…"; it is an object.',
  ],
  ['a person of undefined to forget', () => mace.forget('mem:a', { user_id: undefined }), 'options.user_id must be a text, or left out'], // prettier-ignore
  [
    'a person as forgetAll’s text',
    () => mace.memories.forgetAll('ada'),
    'of must be a plain object',
  ],
  ['all of nobody to forget', () => mace.memories.forgetAll({ user_id: undefined }), 'of.user_id'],
  [
    'a text as a filter of memories',
    () => mace.memories.list('x'),
    'filter must be a plain object',
  ],
  [
    'a text as a filter of all',
    () => mace.memories.all('x').next(),
    'filter must be a plain object',
  ],
  [
    'a text as a new wording',
    () => mace.memories.reword('mem:a', 'b'),
    'words must be a plain obj',
  ],
  ['a text as a person’s bundle', () => mace.memories.bundle('ada'), 'of must be a plain object'],
  [
    'a number as a version of one',
    () => mace.memories.get('mem:a', 1),
    'at must be a plain object',
  ],
  ['a text as a filter of jobs', () => mace.jobs.list('x'), 'filter must be a plain object'],
  [
    'a number as a job’s version',
    () => job.get(3),
    'at must be a plain object with any of version (a whole number), at (a time of RFC 3339, or the position of an event, as a text), unredacted, or be left out; it is a number.',
  ],
  [
    'a text as an account of the end',
    () => job.end('done'),
    'options must be an object with any of reflectiveLog (an object with source (system or user_request or api), query_id, query_text_hash, qcp_summary (an object), agents_invoked (a list), agent_outputs (a list), council_votes (a list), final_answer, final_confidence (a number), repair_loops (a number), cache_hit (true or false), runtime_metrics (an object), system_version), signal, traceparent, idempotencyKey, consistency (own-writes or eventual), after (a position of the log: a bigint, such as 6137n), accessReason, or be left out; it is a text.',
  ],
  [
    'an account in snake_case',
    () => job.end({ reflective_log: {} }),
    'or be named reflectiveLog, an object with source (system or user_request or api), query_id',
  ],
  ['a version in snake_case', () => job.batch([], { expected_version: 1 }), 'or be named expectedVersion, a whole number from 0 on; it is'], // prettier-ignore
  ['a version of a note in snake_case', () => mace.notes.put(['a'], 'b', 1, { if_version: 1 }), 'named ifVersion, a whole number from 0 on; it is a number.'], // prettier-ignore
  ['a life of a note in snake_case', () => mace.notes.put(['a'], 'b', 1, { ttl_seconds: 1 }), 'be named ttlSeconds, a whole number of seconds; it is a number.'], // prettier-ignore
  [
    'a number as a note’s options',
    () => mace.notes.delete(['a'], 'b', 3),
    'options must be an obj',
  ],
  [
    'a number as a note’s version',
    () => mace.notes.get(['a'], 'b', 3),
    'at must be a plain object',
  ],
  ['a version of a change in snake_case', () => mace.conversation('a').clear({ expected_version: 1 }), 'named expectedVersion, a whole number from 0 on; it is a number.'], // prettier-ignore
  ['a number of last items', () => mace.conversation('a').items(10), 'read must be a plain object'],
  [
    'an object as a thread',
    () => mace.threads.delete({ thread_id: 'a' }),
    'threadId must be a text',
  ],
  ['a thread’s id in place of a read', () => mace.threads.get('a'), 'read must be a plain object'],
  [
    'a thread’s id in place of a filter',
    () => mace.threads.all('a').next(),
    'filter must be a pla',
  ],
  ['a number as a fact’s version', () => mace.sem.get('a/b/c/d', 3), 'at must be a plain object'],
  [
    'a text as a filter of requests',
    () => mace.actionRequests.list('pending'),
    'with any of status (pending or approved or',
  ],
  ['a text as a period', () => mace.actionRequests.figures('day'), 'period must be a plain object'],
  ['a text as a query of stores', () => mace.memory.stores('user'), 'query must be a plain object'],
  [
    'a signal of a job as the number',
    () => job.follow({ to_end: true }).next(),
    'be named toEnd, true or false; it is true.',
  ],
  [
    'an option of events in snake_case',
    () => mace.events({ on_position: 1 }),
    'named onPosition, a function; it is a number.',
  ],
  ['a pause in snake_case', () => job.batched({ wait_ms: 5 }), 'options.wait_ms must be left out'],
  [
    'a key in snake_case',
    () => job.tick(1, { idempotency_key: 'a' }),
    'or be named idempotencyKey, 1 to 255 printable ASCII',
  ],
  [
    'an option of a job in snake_case',
    () => mace.withJob('a', () => 1, { on_end: 1 }),
    'or be named onEnd, a function; it is a number.',
  ],
  [
    'a chat in camelCase',
    () => chatOf({ assistant: 'a', sessionId: 'b' }),
    'be named session_id, a text; it',
  ],
  [
    'a person’s memory in camelCase',
    () => personOf({ userId: 'ada' }),
    'or be named user_id, a text without',
  ],
  [
    'a text as a person',
    () => personOf('ada'),
    'options must be an object with any of user_id, onMemoryError (a function), onMemory (a function), or be left out; it is a text.',
  ],
  ['a chat without options', () => chatOf(undefined), 'options must be an'],
  ['a chat without a session', () => chatOf({ assistant: 'a' }), 'options.session_id must be'], // prettier-ignore
  ['a text as a new fact', () => mace.sem.put('a/b/c/d', 'blue'), 'fact must be a plain object such as { value: 330 }, with value, and if you like timestamp, source, notes, meta; it is a text.'], // prettier-ignore
  ['nothing between two phases', () => mace.memory.phaseDiff('user', 'ada'), 'between must be a plain object with from, to, and if you like at (a time of RFC 3339, or the position of an event, as a text); it is undefined.'], // prettier-ignore
  ['a text as the one field of a query', () => mace.memory.store('user', 'ada', 'now'), 'at must be a plain object with any of tick (a whole number), at (a time of RFC 3339, or the position of an event, as a text), or be left out; it is a text.'], // prettier-ignore
  ['a number as a note’s place in time', () => mace.notes.get(['a'], 'b', 3), 'at must be a plain object with any of owner, version (a whole number), at (a time of RFC 3339, or the position of an event, as a text), unredacted, or be left out; it is a number.'], // prettier-ignore
  ['a text as a page of reads', () => mace.why.reads({ kind: 'note', id: 'a' }, 'next'), 'page must be a plain object with any of cursor, limit (a whole number), or be left out; it is a text.'], // prettier-ignore
  ['a text as a thing', () => mace.why.of('a/b/c/d'), 'thing must be a plain object with kind (fact or episode or memory_item or note), id, and if you like at (a time of RFC 3339, or the position of an event, as a text); it is a text.'], // prettier-ignore
  ['a new wording alone', () => mace.memories.reword('mem:a', 'b'), 'words must be a plain object such as { text: "Is allergic to peanuts and cashews", user_id: "ada" }, with text, and if you like if_version, tags, user_id; it is a text.'], // prettier-ignore
  ['a text as options of a read', () => mace.jobs.list({}, 'eventual'), 'options must be an object with any of signal, traceparent, idempotencyKey, consistency (own-writes or eventual), after (a position of the log: a bigint, such as 6137n), accessReason, or be left out; it is a text.'], // prettier-ignore
  ['a number as a note’s version to delete', () => mace.notes.delete(['a'], 'b', 3), 'options must be an object with any of ifVersion (a whole number from 0 on), signal, traceparent, idempotencyKey, consistency (own-writes or eventual), after (a position of the log: a bigint, such as 6137n), accessReason, or be left out; it is a number.'], // prettier-ignore
  ['a text as a chat', () => chatOf('ada'), 'options must be an object with assistant, session_id, and if you like user_id, project_root, memory'], // prettier-ignore
  ['a number as the memory of a chat', () => chatOf({ assistant: 'a', session_id: 'b', memory: 20 }), 'options.memory must be an object with short_term (a number), semantic (true or false), profile (true or false), or be left out; it is a number.'], // prettier-ignore
  ['a text as a job’s own log', () => job.end({ reflectiveLog: 'done' }), 'options.reflectiveLog must be an object with source (system or user_request or api), query_id'], // prettier-ignore
  ['a chat without a client', () => withMemory(undefined as never, undefined as never), 'mace must be a client, as new MaceClient({ … }) makes it; it is undefined.'], // prettier-ignore
  ['an object as a status', () => mace.jobs.list({ status: {} }), 'status must be one of running, ended, or be left out; it is an object.'], // prettier-ignore
  ['null as a choice of two', () => mace.actionRequests.list({ voted: null }), 'voted must be true or false, or be left out; it is null.'], // prettier-ignore
  ['null as the one value', () => job.get({ unredacted: null }), 'unredacted must be the text "true", or be left out; it is null.'], // prettier-ignore
  ['an object as a version', () => job.get({ version: {} }), 'version must be a whole number from 0 on, or be left out; it is an object.'], // prettier-ignore
  ['null as a name in a query', () => mace.jobs.list({ owner: null }), 'owner must be a text, or be left out; it is null.'], // prettier-ignore
  ['a Date as a beginning', () => mace.actionRequests.figures({ from: new Date(0) }), 'from must be a time of RFC 3339, such as "2026-01-31T12:00:00Z", or be left out; it is an object of the class Date.'], // prettier-ignore
  ['a bigint as a cursor', () => mace.queries.reviews(5n), 'cursor must be the next_cursor of the page before, a text, or be left out; it is a bigint.'], // prettier-ignore
  ['an object as a snapshot of facts', () => mace.sem.get('a/b/c/d', { snapshot_id: {} }), 'snapshot_id must be the id of a snapshot: "sem:" and 64 hex digits, or be left out; it is an object.'], // prettier-ignore
  ['numbers as the types of events', () => job.events({ types: [1] }), 'types must be types of events with commas between them, such as "job_started,ticked", or be left out; it is a list.'], // prettier-ignore
  ['an object in an unknown field', () => mace.jobs.list({ since: {} }), 'since must be a text, a number'], // prettier-ignore
  ['true as the text "true"', () => mace.actionRequests.get('a', { unredacted: true }), 'options.unredacted must be the text "true", or be left out; it is true.'], // prettier-ignore
  ['a Date to snooze until', () => mace.actionRequests.snooze('a', new Date(0)), 'until must be a time of RFC 3339, such as "2026-01-31T12:00:00Z", or null; it is'], // prettier-ignore
  ['a list as a reviewer', () => mace.actionRequests.assign('a', ['b']), 'to must be a text, or null; it is a list.'], // prettier-ignore
  ['a number as the stream of a note', () => mace.notes.ofStream(3), 'stream must be the stream of a note: "note-" and 64 hex digits; it is a number.'], // prettier-ignore
  ['a number as the beginning of keys', () => mace.sem.search(3), 'prefix must be the beginning of keys, such as "user/profile/user_ada/"; it is a number.'], // prettier-ignore
  ['a number as a snapshot', () => mace.sem.snapshot(3), 'snapshotId must be the id of a snapshot: "sem:" and 64 hex digits; it is a number.'], // prettier-ignore
  ['a number as the job that records', () => mace.recall({ record_in: 3 }), 'request.record_in must be the seed of a job, a text, or be left out; it is a number.'], // prettier-ignore
  [
    'a text as a number',
    () => job.tick('2'),
    'count must be a whole number from 0 on; it is a text.',
  ],
  [
    'a negative number of ticks',
    () => job.tick(-1),
    'a whole number from 0 on; it is another number.',
  ],
  ['a list with one text in its place', () => mace.actionRequests.recheck('a'), 'half pairs; it is a text.'], // prettier-ignore
  ['another text as a trace context', () => job.tick(1, { traceparent: '1' }), '-01, or be left out; it is another text.'], // prettier-ignore
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
