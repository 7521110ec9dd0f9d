import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { request as httpRequest } from 'node:http';
import type { ErrorEnvelope } from '#domain/errors/envelope.js';
import { ERROR_TABLE, type ErrorCode } from '#domain/errors/error-table.js';
import type { ErrorHelp, FieldHelp } from '#domain/errors/help.js';
import type { Role } from '#platform/auth/roles.js';
import { EMAIL } from '#test/support/data-subject.js';
import { named } from '#test/support/named.js';
import { TestService } from '#test/support/service.js';

type Headers = Readonly<Record<string, string>>;

/** A request that a newcomer gets wrong, and what the answer must teach. */
interface Mistake {
  readonly what: string;
  readonly method: string;
  /** The path after the address of the service. */
  readonly path: string;
  /** The role of the caller, an agent by default; `null` sends no token. */
  readonly role?: Role | null;
  /** The value of the header Authorization in place of the token's, given the token. */
  readonly authorization?: (token: string) => string;
  readonly expired?: true;
  /** The user of the token. */
  readonly user?: string;
  /** Sent as JSON, or unchanged if it is a text. */
  readonly body?: unknown;
  readonly headers?: Headers;
  readonly code: ErrorCode;
  /** Each of these fields is named, among others. */
  readonly fields?: readonly (Partial<FieldHelp> & { readonly field: string })[];
  readonly roles?: readonly string[];
  /** Each of these texts stands in `instead`. */
  readonly instead?: readonly string[];
  /** The value of the header Allow. */
  readonly allow?: string;
}

const JOB = named('running');
const ENDED = named('ended');
const FACT = '/v1/sem/world/fact/tower/height';
const AS_TEXT = { 'content-type': 'text/plain' };
const AS_FORM = { 'content-type': 'application/x-www-form-urlencoded' };
/** The address as it stands, and as a key would spell it. */
const EMAIL_WORDS = new RegExp(EMAIL.replace(/[^a-z]/gi, '.'), 'i');
const MEMORY = { short_term: 1, semantic: false, profile: false };
const JSON_BODY = 'Send the fields as one JSON object in the body';

const MISTAKES: readonly Mistake[] = [
  // The method and the path.
  {
    what: 'a path under a method that it does not take',
    ...{ method: 'PUT', path: '/v1/jobs', role: null, code: 'METHOD_NOT_ALLOWED' },
    ...{ instead: ['GET /v1/jobs', 'POST /v1/jobs'], allow: 'GET, HEAD, POST' },
  },
  {
    what: 'a POST of a fact, which is put',
    ...{ method: 'POST', path: FACT, body: { value: 1 }, code: 'METHOD_NOT_ALLOWED' },
    ...{ instead: ['PUT /v1/sem/world/fact/tower/height'] },
  },
  {
    what: 'a PATCH of a note',
    ...{ method: 'PATCH', path: '/v1/notes', body: {}, code: 'METHOD_NOT_ALLOWED' },
    ...{ instead: ['PUT /v1/notes'] },
  },
  {
    what: 'a fact that is posted under another name',
    ...{ method: 'POST', path: '/v1/facts', body: {}, code: 'NOT_FOUND' },
    instead: [
      'PUT /v1/sem/world/fact/tower/height with a body such as {"value"',
      'an agent proposes it by POST /v1/action-requests with a body such as {"episodic_id"',
      'as POST /v1/jobs/{seed}/episodes with a body such as {"summary"',
    ],
  },
  {
    what: 'a list of threads that is read where they are deleted',
    ...{ method: 'GET', path: '/v1/threads', code: 'METHOD_NOT_ALLOWED' },
    instead: ['POST /v1/threads/list with a body such as {"limit"'],
  },
  {
    what: 'a thread that is made before its first checkpoint',
    ...{ method: 'POST', path: '/v1/threads', body: {}, code: 'METHOD_NOT_ALLOWED' },
    instead: ['PUT /v1/threads/checkpoints with a body such as {"thread_id":', ' begins a thread'],
  },
  {
    what: 'a note whose names stand in the path',
    ...{ method: 'GET', path: '/v1/notes/a/k', code: 'NOT_FOUND' },
    instead: ['GET /v1/notes?namespace=trips&key=oslo'],
  },
  {
    what: 'null for what can only be left out',
    ...{ method: 'POST', path: '/v1/notes/list', body: { owner: null }, code: 'INVALID_INPUT' },
    fields: [{ field: 'owner', problem: 'is null: leave the field out instead' }],
  },
  {
    what: 'a list in the query string of which nothing is a list',
    ...{ method: 'DELETE', path: '/v1/notes?key=k', code: 'INVALID_INPUT' },
    fields: [
      {
        field: 'namespace',
        problem:
          'is missing; it must be an array: the name once for each item, as in namespace=a&namespace=b',
      },
    ],
  },
  {
    what: 'a DELETE of a job',
    ...{ method: 'DELETE', path: `/v1/jobs/${JOB}`, code: 'METHOD_NOT_ALLOWED' },
    instead: ['POST /v1/jobs/{seed}/end ends a job, which nobody deletes', 'GET /v1/jobs/{seed}'],
    allow: 'GET, HEAD',
  },
  {
    what: 'a GET where the path of a search takes a POST',
    ...{ method: 'GET', path: '/v1/search?query=x', code: 'METHOD_NOT_ALLOWED' },
    ...{ instead: ['POST /v1/search'], allow: 'POST' },
  },
  {
    what: 'OPTIONS on a known path',
    ...{ method: 'OPTIONS', path: '/v1/jobs', role: null, code: 'METHOD_NOT_ALLOWED' },
    ...{ instead: ['GET /v1/jobs'], allow: 'GET, HEAD, POST' },
  },
  {
    what: 'a slash at the end of the path',
    ...{ method: 'POST', path: '/v1/jobs/', body: {}, code: 'NOT_FOUND' },
    instead: ['POST /v1/jobs with a body such as {'],
  },
  {
    what: 'a path without /v1',
    ...{ method: 'GET', path: `/jobs/${JOB}`, code: 'NOT_FOUND' },
    instead: ['GET /v1/jobs/{seed}.'],
  },
  {
    what: 'a noun of the path in the singular',
    ...{ method: 'GET', path: `/v1/job/${JOB}`, code: 'NOT_FOUND' },
    instead: ['GET /v1/jobs/{seed}.'],
  },
  {
    what: 'a path in camelCase',
    ...{ method: 'GET', path: '/v1/actionRequests', code: 'NOT_FOUND' },
    instead: ['GET /v1/action-requests.'],
  },
  {
    what: 'a misspelt path',
    ...{ method: 'POST', path: `/v1/jobs/${JOB}/episdoes`, body: {}, code: 'NOT_FOUND' },
    instead: ['POST /v1/jobs/{seed}/episodes with a body such as {"summary"'],
  },
  {
    what: 'an unknown route, without a token',
    ...{ method: 'GET', path: '/v1/bananas', role: null, code: 'NOT_FOUND' },
    instead: ['GET /openapi.json lists every route.'],
  },
  {
    what: 'a key as one encoded part of the path',
    ...{ method: 'GET', path: '/v1/sem/world%2Ffact%2Ftower%2Fheight', code: 'NOT_FOUND' },
    instead: ['GET /v1/sem/world/fact/tower/height.'],
  },
  {
    what: 'a key that is encoded twice',
    ...{ method: 'GET', path: '/v1/sem/world%252Ffact%252Ftower%252Fheight', code: 'NOT_FOUND' },
    instead: ['GET /v1/sem/world/fact/tower/height.'],
  },
  // Memories of a person, in the words of newcomers.
  {
    what: 'a memory that is posted',
    ...{ method: 'POST', path: '/v1/memories', body: { text: 'x' }, code: 'METHOD_NOT_ALLOWED' },
    ...{
      instead: [
        'POST /v1/remember with a body such as {"said"',
        'keeps a memory.',
        'GET /v1/memories?user_id=ada.',
      ],
      allow: 'GET, HEAD',
    },
  },
  {
    what: 'all memories that are deleted',
    ...{ method: 'DELETE', path: '/v1/memories?user_id=ada', code: 'METHOD_NOT_ALLOWED' },
    instead: [
      'DELETE /v1/memories/{memory_id}?user_id=ada forgets one memory. GET /v1/memories shows the ids, and',
    ],
  },
  {
    what: 'a memory that is posted to the stores',
    ...{ method: 'POST', path: '/v1/memory', body: { text: 'x' }, code: 'METHOD_NOT_ALLOWED' },
    instead: ['POST /v1/remember with a body such as {"said"', 'keeps a memory.'],
  },
  {
    what: 'a search below memories',
    ...{ method: 'POST', path: '/v1/memories/search', body: {}, code: 'METHOD_NOT_ALLOWED' },
    instead: ['POST /v1/recall with a body such as {"query"', 'finds what is remembered.'],
  },
  {
    what: 'a GET of a search below memories',
    ...{ method: 'GET', path: '/v1/memories/search?query=x', code: 'INVALID_INPUT' },
    instead: ['POST /v1/recall with a body such as {"query"', 'finds what is remembered.'],
  },
  {
    what: 'a recall by GET',
    ...{ method: 'GET', path: '/v1/recall?query=x', code: 'METHOD_NOT_ALLOWED' },
    instead: ['POST /v1/recall with a body such as'],
  },
  ...(
    [
      [
        'POST',
        '/v1/forget',
        'DELETE /v1/memories/{memory_id}?user_id=ada forgets one memory. GET /v1/memories shows the ids, and',
      ],
      [
        'POST',
        '/v1/delete',
        'DELETE /v1/memories/{memory_id}?user_id=ada forgets one memory. GET /v1/memories shows the ids, and',
      ],
      [
        'POST',
        '/v1/memories/mem:1/forget',
        'DELETE /v1/memories/{memory_id}?user_id=ada forgets one memory. GET /v1/memories shows the ids, and',
      ],
      ['POST', '/v1/add', 'POST /v1/remember with a body such as {"said"', 'keeps a memory.'],
      ['POST', '/v1/store', 'POST /v1/remember with a body such as {"said"', 'keeps a memory.'],
      ['POST', '/memories', 'POST /v1/remember with a body such as {"said"', 'keeps a memory.'],
      ['GET', '/memories', 'GET /v1/memories?user_id=ada.'],
      ['GET', '/v1/users/ada/memories', 'GET /v1/memories?user_id=ada lists memories.'],
      [
        'POST',
        '/v1/update',
        'PUT /v1/memories/{memory_id} with a body such as {"text"',
        'gives a memory another text.',
      ],
      [
        'POST',
        '/v1/ask',
        'POST /v1/recall with a body such as {"query"',
        'finds what is remembered.',
      ],
      [
        'POST',
        '/v2/memories/search',
        'POST /v1/recall with a body such as {"query"',
        'finds what is remembered.',
      ],
      ['POST', '/v2/remember', 'POST /v1/remember with a body such as'],
      ['POST', '/v1/v1/remember', 'POST /v1/remember with a body such as'],
      ['POST', '/api/v1/remember', 'POST /v1/remember with a body such as'],
      ['GET', '/v1/bananas', 'POST /v1/remember, POST /v1/recall, DELETE /v1/memories/{memory_id}'],
      ['GET', '/v1/facts', 'GET /v1/sem.'],
      ['POST', '/v1/facts', 'GET /v1/sem.'],
      ['GET', '/v1/notes/a/k', 'GET /v1/notes'],
      ['PUT', '/v1/notes/a/k', 'PUT /v1/notes with a body such as {"namespace":["trips"]'],
      ['GET', '/v1/conversations', 'GET /v1/conversations/{id}/items'],
      ['POST', `/v1/jobs/${JOB}/complete`, 'POST /v1/jobs/{seed}/end'],
      ['PUT', '/v1/sem/user/profile/colour', 'PUT /v1/sem/world/fact/tower/height'],
    ] as const
  ).map(([method, path, instead]) => ({
    what: `${method} ${path}`,
    ...(method === 'GET' ? { method, path } : { method, path, body: {} }),
    ...{ code: 'NOT_FOUND' as const, instead: [instead] },
  })),
  {
    what: 'a fact that is posted to the list',
    ...{ method: 'POST', path: '/v1/sem', body: {}, code: 'METHOD_NOT_ALLOWED' },
    instead: ['PUT /v1/sem/world/fact/tower/height'],
  },
  {
    what: 'a thread that is posted',
    ...{ method: 'POST', path: '/v1/threads', body: {}, code: 'METHOD_NOT_ALLOWED' },
    instead: ['PUT /v1/threads/checkpoints', 'POST /v1/threads/list'],
  },
  {
    what: 'threads that are listed by GET',
    ...{ method: 'GET', path: '/v1/threads', code: 'METHOD_NOT_ALLOWED' },
    instead: ['POST /v1/threads/list'],
  },
  ...(
    [
      ['POST', '/v1/remember', { text: 'x', user_id: null }],
      ['POST', '/v1/recall', { query: 'x', user_id: null }],
      ['POST', '/v1/jobs', { user_id: null }],
      ['POST', '/v1/search', { query: 'x', user_id: null }],
      ['POST', '/v1/notes/list', { owner: null }],
      ['POST', '/v1/remember', { text: 'x', user_id: 'undefined' }],
      ['POST', '/v1/recall', { query: 'x', user_id: 'null' }],
      ['GET', '/v1/memories?user_id=undefined', undefined],
      ['GET', '/v1/memories?user_id=null', undefined],
      ['GET', '/v1/memories?user_id=None', undefined],
    ] as const
  ).map(([method, path, body]) => ({
    what: `a missing person in ${method} ${path} ${JSON.stringify(body)}`,
    ...{ method, path, body, code: 'INVALID_INPUT' as const },
    fields: [{ field: path === '/v1/notes/list' ? 'owner' : 'user_id' }],
  })),
  {
    what: 'neither a text nor words',
    ...{ method: 'POST', path: '/v1/remember', body: {}, code: 'INVALID_INPUT' },
    fields: [
      { field: 'text' },
      { field: 'said', problem: expect.stringContaining('of the two') as never },
    ],
  },
  {
    what: 'both a text and words',
    ...{ method: 'POST', path: '/v1/remember', body: { text: 'x', said: 'y' } },
    ...{ code: 'INVALID_INPUT', fields: [{ field: 'text' }, { field: 'said' }] },
  },
  {
    what: 'a blank text',
    ...{ method: 'POST', path: '/v1/remember', body: { text: '  ' }, code: 'INVALID_INPUT' },
    fields: [{ field: 'text', problem: 'has nothing to see' }],
  },
  {
    what: 'a recall ahead of the log',
    ...{ method: 'POST', path: '/v1/recall', body: { as_of: '99999999999999' } },
    ...{
      code: 'INVALID_INPUT',
      fields: [
        {
          field: 'as_of',
          problem: expect.stringContaining('ahead of the log, which ends at') as unknown as string,
        },
      ],
    },
  },
  {
    what: 'a recall for a job that does not exist',
    ...{ method: 'POST', path: '/v1/recall', body: { record_in: named('nowhere') } },
    ...{ code: 'NOT_FOUND', instead: ['GET /v1/jobs'] },
  },
  {
    what: 'a position that is none',
    ...{ method: 'POST', path: '/v1/recall', body: {}, headers: { 'mace-min-position': 'last' } },
    ...{ code: 'INVALID_INPUT', instead: ['Mace-Position'] },
  },
  {
    what: 'a note that does not exist',
    ...{ method: 'GET', path: '/v1/notes?namespace=a&key=nothing', code: 'NOT_FOUND' },
    instead: ['POST /v1/notes/list with a body such as {"prefix"'],
  },
  {
    what: 'a note without its namespace',
    ...{ method: 'GET', path: '/v1/notes?key=k', code: 'INVALID_INPUT' },
    fields: [{ field: 'namespace' }, { field: 'key' }],
  },
  {
    what: 'a note that is too large',
    ...{ method: 'PUT', path: '/v1/notes', code: 'INVALID_INPUT' },
    body: { namespace: ['n'], key: 'k', value: 'x'.repeat(70_000) },
    fields: [{ field: 'value', problem: expect.stringContaining('65536') as never }],
  },
  {
    what: 'a checkpoint that does not exist',
    ...{ method: 'GET', path: '/v1/threads/checkpoints?thread_id=nowhere', code: 'NOT_FOUND' },
    instead: ['POST /v1/threads/list'],
  },
  {
    what: 'a name that is given twice',
    ...{ method: 'POST', path: '/v1/remember', body: '{"text":"a","text":"b"}' },
    ...{ code: 'INVALID_INPUT', instead: ['each name of an object once'] },
  },
  ...(
    [
      ['POST', '/v1/jobs', { user_id: EMAIL }, 'user_id'],
      ['POST', '/v1/jobs', { job_seed: '4111111111111111' }, 'job_seed'],
      ['POST', '/v1/queries', { query_text: 'who?', user_id: EMAIL }, 'user_id'],
      ['POST', '/v1/queries', { query_text: `write to ${EMAIL}` }, 'query_text'],
      ['POST', '/v1/route', { query_text: 'who?', context_tags: { a: EMAIL } }, 'context_tags'],
      ['POST', `/v1/conversations/${EMAIL}/items`, { items: [1] }, 'id'],
      ['GET', `/v1/threads/checkpoints?thread_id=${EMAIL}`, undefined, 'thread_id'],
      [
        'POST',
        '/v1/sem-keys',
        { scope: 'user', entity_type: 'profile', attribute: 'a', user_id: EMAIL },
        'user_id',
      ],
      [
        'POST',
        '/v1/memory/recall',
        { assistant: 'a', session_id: EMAIL, query: 'x', memory: MEMORY },
        'session_id',
      ],
    ] as const
  ).map(([method, path, body, field]) => ({
    what: `an address or a card as ${field} of ${method} ${path.split(EMAIL)[0]}`,
    ...{ method, path, body, code: 'PRIVACY_BLOCKED' as const },
    fields: [{ field, problem: expect.stringContaining('personal data') as never }],
  })),
  {
    what: 'an address as the user of a token',
    ...{ method: 'POST', path: '/v1/remember', body: { text: 'x' }, role: 'user' },
    ...{ user: EMAIL, code: 'PRIVACY_BLOCKED', instead: ['use a token whose user_id'] },
  },
  // The token and the role.
  {
    what: 'no token',
    ...{ method: 'GET', path: '/v1/jobs', role: null, code: 'UNAUTHENTICATED' },
    instead: ['Authorization: Bearer <token>', 'npx mace token'],
  },
  {
    what: 'a token without the word Bearer',
    ...{ method: 'GET', path: '/v1/jobs', code: 'UNAUTHENTICATED' },
    ...{ authorization: (token) => token, instead: ['Authorization: Bearer <token>'] },
  },
  {
    what: 'an expired token',
    ...{ method: 'GET', path: '/v1/jobs', expired: true, code: 'UNAUTHENTICATED' },
    instead: ['has not expired', 'npx mace token'],
  },
  {
    what: 'a token that is none',
    ...{ method: 'GET', path: '/v1/jobs', code: 'UNAUTHENTICATED' },
    ...{ authorization: () => 'Bearer secret', instead: ['npx mace token'] },
  },
  {
    what: 'a job that a user starts',
    ...{ method: 'POST', path: '/v1/jobs', role: 'user', body: {}, code: 'PERMISSION_DENIED' },
    roles: ['agent', 'admin'],
  },
  {
    what: 'a vote of an agent',
    ...{ method: 'POST', path: '/v1/action-requests/x/votes', body: {}, code: 'PERMISSION_DENIED' },
    roles: ['council', 'admin'],
    instead: ['/votes with a body such as {"vote":"approve","reason"'],
  },
  {
    what: 'a deletion of a fact by an agent',
    ...{ method: 'DELETE', path: FACT, code: 'PERMISSION_DENIED' },
    roles: ['admin'],
  },
  {
    what: 'a shared fact that an agent writes itself',
    ...{ method: 'PUT', path: FACT, body: { value: 1 }, code: 'PERMISSION_DENIED' },
    instead: ['POST /v1/action-requests'],
  },
  // The body and its fields.
  {
    what: 'no body',
    ...{ method: 'POST', path: `/v1/jobs/${JOB}/wm`, code: 'INVALID_INPUT' },
    fields: [{ field: 'type', problem: expect.stringContaining('is missing') as never }],
    instead: [JSON_BODY, 'Content-Type: application/json'],
  },
  {
    what: 'a body of another content type',
    ...{ method: 'POST', path: '/v1/jobs', body: '{"job_seed":"x"}', headers: AS_TEXT },
    ...{ code: 'INVALID_INPUT', instead: ['Content-Type: application/json'] },
  },
  {
    what: 'a form',
    ...{ method: 'POST', path: '/v1/jobs', body: 'job_seed=x', headers: AS_FORM },
    ...{ code: 'INVALID_INPUT', instead: ['Content-Type: application/json'] },
  },
  {
    what: 'JSON with a comma after the last field',
    ...{ method: 'POST', path: '/v1/jobs', body: '{"job_seed":"x",}', code: 'INVALID_INPUT' },
    instead: ['no comma after the last one'],
  },
  {
    what: 'an array instead of an object',
    ...{ method: 'POST', path: '/v1/jobs', body: [{ job_seed: 'x' }], code: 'INVALID_INPUT' },
    ...{ fields: [{ field: 'the input', problem: 'must be an object' }], instead: [JSON_BODY] },
  },
  {
    what: 'a field in camelCase',
    ...{ method: 'POST', path: '/v1/jobs', body: { jobSeed: 'x' }, code: 'INVALID_INPUT' },
    fields: [{ field: 'jobSeed', nearest: 'job_seed' }],
  },
  {
    what: 'a misspelt field',
    ...{ method: 'PUT', path: FACT, body: { vaule: 1 }, code: 'INVALID_INPUT' },
    fields: [
      { field: 'vaule', nearest: 'value' },
      { field: 'value', problem: 'is missing; it must be given' },
    ],
    instead: ['an agent proposes it by POST /v1/action-requests'],
  },
  {
    what: 'a field with a part of its name',
    ...{ method: 'POST', path: '/v1/jobs', body: { seed: 'x' }, code: 'INVALID_INPUT' },
    fields: [{ field: 'seed', nearest: 'job_seed' }],
  },
  {
    what: 'several wrong fields',
    ...{ method: 'POST', path: `/v1/jobs/${JOB}/wm`, code: 'INVALID_INPUT' },
    body: { Type: 'fact', ttl_ticks: '3', value: undefined, colour: 1 },
    fields: [
      { field: 'Type', nearest: 'type' },
      { field: 'colour', problem: 'is not a known field' },
      { field: 'type', problem: expect.stringContaining('is missing') as never },
      { field: 'value', problem: 'is missing; it must be given' },
      { field: 'ttl_ticks' },
    ],
  },
  {
    what: 'a field of the query string in the body',
    ...{ method: 'DELETE', path: '/v1/notes', body: { namespace: ['n'], key: 'k' } },
    ...{ code: 'INVALID_INPUT', fields: [{ field: 'key', place: 'query' }] },
  },
  {
    what: 'a field of the path in the body',
    ...{
      method: 'POST',
      path: `/v1/jobs/${JOB}/ticks`,
      body: { seed: JOB },
      code: 'INVALID_INPUT',
    },
    fields: [{ field: 'seed', place: 'path' }],
  },
  {
    what: 'a field of the body in the query string',
    ...{ method: 'POST', path: '/v1/search?query=tower', body: {}, code: 'INVALID_INPUT' },
    fields: [{ field: 'query', place: 'body' }],
  },
  {
    what: 'a GET with its fields in a body',
    ...{ method: 'GET', path: '/v1/notes', body: { namespace: ['n'], key: 'k' } },
    ...{ code: 'INVALID_INPUT', instead: ['stand in the query string'] },
  },
  {
    what: 'a value that is not in the list',
    ...{ method: 'POST', path: `/v1/jobs/${JOB}/wm`, body: { type: 'dream', value: 1 } },
    code: 'INVALID_INPUT',
    fields: [{ field: 'type', problem: expect.stringMatching(/one of .*fact/) as never }],
  },
  {
    what: 'a number as text',
    ...{ method: 'POST', path: `/v1/jobs/${JOB}/ticks`, body: { count: '3' } },
    ...{
      code: 'INVALID_INPUT',
      fields: [{ field: 'count', problem: 'must be an integer number' }],
    },
  },
  {
    what: 'null in the place of a field',
    ...{ method: 'POST', path: `/v1/jobs/${JOB}/wm`, body: { type: null, value: 1 } },
    ...{ code: 'INVALID_INPUT', fields: [{ field: 'type' }] },
  },
  {
    what: 'a text that is too long',
    ...{ method: 'POST', path: `/v1/jobs/${JOB}/goals`, body: { goal: 'x'.repeat(16_001) } },
    code: 'INVALID_INPUT',
    fields: [{ field: 'goal', problem: expect.stringContaining('16000') as never }],
  },
  {
    what: 'a date of another format',
    ...{ method: 'PUT', path: FACT, body: { value: 1, timestamp: '31.01.2026' } },
    code: 'INVALID_INPUT',
    fields: [{ field: 'timestamp', problem: expect.stringContaining('RFC 3339') as never }],
  },
  {
    what: 'a seed with a space',
    ...{ method: 'POST', path: '/v1/jobs', body: { job_seed: 'my job' }, code: 'INVALID_INPUT' },
    fields: [
      {
        field: 'job_seed',
        problem: expect.stringContaining('must have 1 to 128 characters') as never,
      },
    ],
  },
  {
    what: 'a wrong command of a batch',
    ...{ method: 'POST', path: `/v1/jobs/${JOB}/commands`, code: 'INVALID_INPUT' },
    body: { commands: [{ op: 'tick' }, { op: 'insert' }, { op: 'tick', cuont: 1 }] },
    fields: [
      {
        ...{ field: 'commands.1.op', nearest: 'wm_insert' },
        problem: expect.stringContaining('wm_insert') as never,
      },
      { field: 'commands.2.cuont', nearest: 'count' },
    ],
    instead: ['For example: POST /v1/jobs/{seed}/commands with a body such as {"commands":[{"op":'],
  },
  {
    what: 'personal data as the name of a field',
    ...{ method: 'POST', path: '/v1/jobs', body: { [EMAIL]: 1, jobSed: 'x' } },
    code: 'INVALID_INPUT',
    fields: [{ field: '(a name that is not shown)' }, { field: 'jobSed', nearest: 'job_seed' }],
  },
  // Lists.
  {
    what: 'an unknown parameter of a list',
    ...{ method: 'GET', path: '/v1/jobs?limits=5', code: 'INVALID_INPUT' },
    fields: [{ field: 'limits', nearest: 'limit' }],
  },
  {
    what: 'a limit of 0',
    ...{ method: 'GET', path: '/v1/jobs?limit=0', code: 'INVALID_INPUT' },
    fields: [{ field: 'limit', problem: 'must not be less than 1' }],
  },
  {
    what: 'a limit that is too large',
    ...{ method: 'GET', path: '/v1/sem?limit=100000', code: 'INVALID_INPUT' },
    fields: [{ field: 'limit', problem: 'must not be greater than 1000' }],
  },
  {
    what: 'a cursor that no answer had',
    ...{ method: 'GET', path: '/v1/action-requests?cursor=page2', role: 'council' },
    code: 'INVALID_INPUT',
    instead: ['Leave cursor out', 'next_cursor'],
  },
  // What exists, and what does not.
  {
    what: 'a job that does not exist',
    ...{ method: 'POST', path: `/v1/jobs/${named('nowhere')}/ticks`, body: {}, code: 'NOT_FOUND' },
    instead: ['GET /v1/jobs'],
  },
  {
    what: 'a WM entry that does not exist',
    ...{ method: 'DELETE', path: `/v1/jobs/${JOB}/wm/wm:x:9`, code: 'NOT_FOUND' },
    instead: ['GET /v1/jobs/{seed}'],
  },
  {
    what: 'a fact that does not exist',
    ...{ method: 'GET', path: `/v1/sem/world/fact/${named('nothing')}/height` },
    ...{ code: 'SEM_NOT_FOUND', instead: ['GET /v1/sem', 'PUT /v1/sem/'] },
  },
  {
    what: 'a key with capital letters and spaces',
    ...{ method: 'GET', path: '/v1/sem/World/fact/Tokyo%20Tower/height', code: 'INVALID_INPUT' },
    instead: ['For example: world/fact/tokyo_tower/height', 'a-z, 0-9 and _'],
  },
  {
    what: 'a key of an unknown scope',
    ...{ method: 'GET', path: '/v1/sem/planet/fact/tower/height', code: 'INVALID_INPUT' },
    instead: ['user, world, mace, agent, system, config'],
  },
  {
    what: 'a command for a job that has ended',
    ...{ method: 'POST', path: `/v1/jobs/${ENDED}/ticks`, body: {}, code: 'JOB_ENDED' },
    instead: ['POST /v1/jobs', 'GET /v1/jobs/{seed}'],
  },
  {
    what: 'a seed that is in use',
    ...{ method: 'POST', path: '/v1/jobs', body: { job_seed: ENDED }, code: 'JOB_EXISTS' },
    instead: ['another job_seed'],
  },
  {
    what: 'a note at a version that it has not',
    ...{ method: 'PUT', path: '/v1/notes', code: 'VERSION_CONFLICT' },
    body: { namespace: ['n'], key: named('note'), value: 1, if_version: 7 },
    instead: ['send if_version 0, or leave it out'],
  },
  // Keys of retries.
  {
    what: 'a blank Idempotency-Key',
    ...{ method: 'POST', path: '/v1/jobs', body: {}, headers: { 'idempotency-key': ' ' } },
    ...{ code: 'INVALID_INPUT', instead: ['a new UUID'] },
  },
  {
    what: 'an Idempotency-Key that was used for another body',
    ...{ method: 'POST', path: `/v1/jobs/${JOB}/ticks`, body: { count: 2 } },
    headers: { 'idempotency-key': named('reused') },
    ...{ code: 'IDEMPOTENCY_MISMATCH', instead: ['new Idempotency-Key'] },
  },
  // Personal data.
  {
    what: 'personal data in a key',
    ...{ method: 'PUT', path: `/v1/sem/world/fact/${encodeURIComponent(EMAIL)}/height` },
    ...{ role: 'admin', body: { value: 1 }, code: 'INVALID_INPUT', instead: ['a-z, 0-9 and _'] },
  },
  {
    what: 'personal data in a shared fact',
    ...{ method: 'PUT', path: '/v1/sem/world/fact/tower/contact', body: { value: EMAIL } },
    ...{ role: 'admin', code: 'PRIVACY_BLOCKED', instead: ['Leave the personal data'] },
  },
  {
    what: 'personal data in an id',
    ...{ method: 'POST', path: '/v1/jobs', body: { session_id: '+4915112345678' } },
    ...{ code: 'INVALID_INPUT', fields: [{ field: 'session_id' }] },
  },
];

interface Answer {
  readonly status: number;
  readonly allow: string | undefined;
  readonly body: ErrorEnvelope;
}

/** The answer to a request. `fetch` sends no body with a GET. */
const answerTo = (
  url: string,
  method: string,
  headers: Headers,
  body: string | undefined,
): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
    const sent = httpRequest(url, { method, headers: { ...headers, ...length } }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          allow: response.headers.allow,
          body: JSON.parse(Buffer.concat(parts).toString()) as ErrorEnvelope,
        }),
      );
    });
    sent.on('error', reject);
    sent.end(body);
  });

describe('An error teaches', () => {
  let service: TestService;

  beforeAll(async () => {
    service = await TestService.shared();
    const token = await service.token('agent');
    for (const job_seed of [JOB, ENDED])
      await service.call('POST', '/v1/jobs', { token, body: { job_seed } });
    await service.call('POST', `/v1/jobs/${ENDED}/end`, { token, body: {} });
    const headers = { 'idempotency-key': named('reused') };
    await service.call('POST', `/v1/jobs/${JOB}/ticks`, { token, body: {}, headers });
  });
  afterAll(() => service?.stop());

  async function send(mistake: Mistake): Promise<Answer> {
    const { method, path, role = 'agent', authorization, expired, user, body, headers } = mistake;
    const token = await service.token(role ?? 'agent', {
      ...(expired === undefined ? {} : { ttl: -60 }),
      ...(user === undefined ? {} : { user_id: user }),
    });
    const shown = authorization === undefined ? `Bearer ${token}` : authorization(token);
    const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
    return answerTo(
      `${service.url}${path}`,
      method,
      {
        ...(role === null ? {} : { authorization: shown }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      text,
    );
  }

  for (const mistake of MISTAKES)
    it(`how to put right ${mistake.what}`, async () => {
      const { code, fields = [], roles, instead = [], allow } = mistake;
      const answer = await send(mistake);
      const { error_code, meta } = answer.body;
      expect([error_code, answer.status]).toStrictEqual([code, ERROR_TABLE[code].status]);
      const help: ErrorHelp = meta.help ?? {};
      expect(help.fields ?? []).toStrictEqual(
        expect.arrayContaining(fields.map((field) => expect.objectContaining(field))),
      );
      if (roles !== undefined) expect(help.roles).toStrictEqual(roles);
      for (const text of instead) expect(help.instead).toContain(text);
      if (allow !== undefined) expect(answer.allow).toBe(allow);
      expect(JSON.stringify(answer.body)).not.toMatch(EMAIL_WORDS);
    });

  it('this table has the mistakes of newcomers, and each says what to do', () => {
    expect(MISTAKES.length).toBeGreaterThanOrEqual(45);
    for (const { fields, roles, instead } of MISTAKES)
      expect(fields ?? roles ?? instead).toBeDefined();
  });

  it('at most 20 wrong fields are named', async () => {
    const body = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`no_${index}`, 1]));
    const answer = await send({
      ...{ what: '50 unknown fields', method: 'POST', path: '/v1/jobs', body },
      code: 'INVALID_INPUT',
    });
    expect(answer.body.meta.help?.fields).toHaveLength(20);
    expect(answer.body.developer_message).toContain('no_0 is not a known field');
  });

  it('HEAD on a path that takes no GET is 405, and names what it takes', async () => {
    const { status, headers } = await fetch(`${service.url}/v1/search`, { method: 'HEAD' });
    expect([status, headers.get('allow')]).toStrictEqual([405, 'POST']);
  });
});
