import { createHash, generateKeyPairSync } from 'node:crypto';
import { canonicalJson } from '#domain/determinism/canonical-json.js';
import { signed } from '#platform/signing/signature.js';
import { aLog } from './reflective-logs.js';

/** A checkpoint file of an empty log, which another service signed. */
const A_CHECKPOINT = `${canonicalJson(
  await signed(
    {
      ...{ kind: 'log_checkpoint', version: 1, created_at: '2026-01-31T12:00:00.000Z' },
      ...{ position: '0', events: 0, streams: 0 },
      heads_hash: createHash('sha256').digest('hex'),
    },
    generateKeyPairSync('ed25519').privateKey,
  ),
)}\n`;

/** The things that the owner of the examples has made. */
export interface Owned {
  readonly seed: string;
  readonly session: string;
  /** The owner's user; its facts are under this raw id. */
  readonly user: string;
  readonly wm: string;
  readonly episode: string;
  readonly request: string;
  readonly proposal: string;
  readonly log: string;
  readonly consent: string;
  readonly snapshot: string;
  readonly memory: string;
  /** A text that occurs in every list that shows something of the owner. */
  readonly marker: string;
}

/** A request that concerns the owner's data. */
export interface Example {
  /** The path below /v1/. */
  readonly path: string;
  readonly body?: unknown;
  /** The type of the body's content, if it is not JSON. */
  readonly type?: string;
  /** True if the route shows others a list without the owner's entries, instead of a refusal. */
  readonly isList?: boolean;
  /** True if the route does not tell others whether the owner's thing exists. */
  readonly isHidden?: boolean;
  /** True if the path names each caller’s own thing, so another caller does not reach the owner’s. */
  readonly isPrivate?: boolean;
}

const fact = ({ user, marker }: Owned) => `sem/user/profile/user_${user}/${marker}`;
const turn = ({ session }: Owned) => ({
  assistant: 'helper',
  session_id: session,
  memory: { short_term: 4, semantic: true, profile: true },
});
const of =
  (path: string, body?: unknown) =>
  ({ seed }: Owned): Example => ({ path: `jobs/${seed}${path}`, body });
const ofRequest =
  (path: string, body?: (owned: Owned) => unknown) =>
  (owned: Owned): Example => ({
    path: `action-requests/${owned.request}${path}`,
    body: body?.(owned),
  });
const ofLog =
  (path: string, body?: unknown) =>
  ({ log }: Owned): Example => ({ path: `reflective-logs/${log}${path}`, body });
const ofStore =
  (path: string) =>
  ({ session }: Owned): Example => ({ path: `memory/session/${session}${path}` });
/** A conversation of the same id belongs to each caller; only a read can name another owner. */
const ofConversation =
  (path: string, body: unknown) =>
  ({ marker }: Owned): Example => ({
    path: `conversations/${marker}${path}`,
    body,
    isPrivate: true,
  });
/** A thread of the same id belongs to each caller; only a read can name another owner. */
const ofThread =
  (path: string, body: object) =>
  ({ marker }: Owned): Example => ({
    path: `threads/${path}`,
    body: { thread_id: marker, checkpoint_id: 'example', ...body },
    isPrivate: true,
  });
const threadOf = ({ user, marker }: Owned) => ({ thread_id: marker, owner: `user:${user}` });
const onlyPath = (path: string, body?: unknown) => (): Example => ({ path, body });

const FACT = '/v1/sem/{scope}/{entity_type}/{entity_id}/{attribute}';

/** For each route, a request for the owner's data. A test requires one for each route of the table. */
export const ROUTE_EXAMPLES: Readonly<Record<string, (owned: Owned) => Example>> = {
  'POST /mcp': onlyPath('../mcp', { jsonrpc: '2.0', id: 1, method: 'ping' }),
  'GET /mcp': onlyPath('../mcp'),
  'DELETE /mcp': onlyPath('../mcp'),
  'POST /v1/jobs': ({ session }) => ({ path: 'jobs', body: { session_id: session } }),
  'GET /v1/jobs': ({ session }) => ({ path: `jobs?session_id=${session}`, isList: true }),
  'GET /v1/jobs/{seed}': of(''),
  'GET /v1/jobs/{seed}/events': of('/events'),
  'GET /v1/jobs/{seed}/knew': of('/knew'),
  'GET /v1/jobs/{seed}/timeline': of('/timeline'),
  'GET /v1/jobs/{seed}/states/{number}': of('/states/0'),
  'GET /v1/jobs/{seed}/bundle': of('/bundle'),
  'GET /v1/events': () => ({ path: 'events?until=end', isList: true }),
  'POST /v1/jobs/{seed}/replays': of('/replays', { mode: 'audit' }),
  'POST /v1/jobs/{seed}/commands': of('/commands', { commands: [{ op: 'tick' }] }),
  'POST /v1/jobs/{seed}/wm': of('/wm', { type: 'hint', value: 'a hint' }),
  'POST /v1/jobs/{seed}/wm/find': of('/wm/find', {}),
  'POST /v1/jobs/{seed}/cwm/find': of('/cwm/find', {}),
  'POST /v1/jobs/{seed}/wm/{wm_id}/references': ({ seed, wm }) => ({
    path: `jobs/${seed}/wm/${wm}/references`,
    body: {},
  }),
  'POST /v1/jobs/{seed}/cwm/{item_id}/references': ({ seed, wm }) => ({
    path: `jobs/${seed}/cwm/cwmi:${wm}/references`,
    body: {},
  }),
  'DELETE /v1/jobs/{seed}/wm/{wm_id}': ({ seed, wm }) => ({ path: `jobs/${seed}/wm/${wm}` }),
  'DELETE /v1/jobs/{seed}/cwm/{item_id}': ({ seed, wm }) => ({
    path: `jobs/${seed}/cwm/cwmi:${wm}`,
  }),
  'POST /v1/jobs/{seed}/ticks': of('/ticks', {}),
  'POST /v1/jobs/{seed}/goals': of('/goals', { goal: 'another goal' }),
  'POST /v1/jobs/{seed}/episodes': of('/episodes', { summary: 'An episode' }),
  'POST /v1/jobs/{seed}/end': of('/end', {}),

  'GET /v1/sem': ({ user }) => ({ path: `sem?prefix=user/profile/user_${user}/`, isList: true }),
  [`GET ${FACT}`]: (owned) => ({ path: fact(owned) }),
  [`PUT ${FACT}`]: (owned) => ({ path: fact(owned), body: { value: owned.marker } }),
  [`DELETE ${FACT}`]: (owned) => ({ path: `${fact(owned)}_of_nobody` }),
  [`GET ${FACT}/history`]: (owned) => ({ path: `${fact(owned)}/history` }),
  'POST /v1/sem-keys': ({ user }) => ({
    path: 'sem-keys',
    body: { scope: 'user', entity_type: 'profile', attribute: 'name', user_id: user },
  }),
  'POST /v1/sem-aliases/resolve': ({ user }) => ({
    path: 'sem-aliases/resolve',
    body: { text: 'my name', user_id: user },
  }),
  'GET /v1/sem-snapshots/{id}': ({ snapshot }) => ({ path: `sem-snapshots/${snapshot}` }),

  'POST /v1/episodes/query': ({ user }) => ({
    path: 'episodes/query',
    body: { query_terms: 'episode', user_id: user },
  }),
  'POST /v1/search': ({ user }) => ({
    path: 'search',
    body: { query: 'episode', user_id: user },
  }),
  'GET /v1/why': ({ episode }) => ({ path: `why?kind=episode&id=${episode}` }),
  'GET /v1/why/reads': ({ episode }) => ({ path: `why/reads?kind=episode&id=${episode}` }),
  'GET /v1/why/accesses': ({ episode }) => ({ path: `why/accesses?kind=episode&id=${episode}` }),
  'GET /v1/episodes/{id}': ({ episode }) => ({ path: `episodes/${episode}` }),

  'POST /v1/action-requests': (owned) => ({
    path: 'action-requests',
    body: {
      episodic_id: owned.episode,
      target_sem_key: fact(owned).slice('sem/'.length),
      value: 'a value',
      justification: 'It was said.',
    },
  }),
  'GET /v1/action-requests': () => ({ path: 'action-requests', isList: true }),
  'GET /v1/action-requests/{id}': ofRequest(''),
  'GET /v1/action-requests/{id}/dossier': ofRequest('/dossier'),
  'GET /v1/action-requests/{id}/receipts/{number}': ofRequest('/receipts/0'),
  'POST /v1/action-requests/rechecks': ({ request }) => ({
    path: 'action-requests/rechecks',
    body: { request_ids: [request] },
  }),
  'GET /v1/action-requests/figures': onlyPath('action-requests/figures'),
  'POST /v1/action-requests/rejections': ({ request, proposal }) => ({
    path: 'action-requests/rejections',
    body: { requests: [{ request_id: request, proposal_hash: proposal }], reason: 'No.' },
  }),
  'POST /v1/action-requests/approvals': ({ request, proposal }) => ({
    path: 'action-requests/approvals',
    body: { requests: [{ request_id: request, proposal_hash: proposal }], reason: 'Yes.' },
  }),
  'POST /v1/action-requests/{id}/votes': ofRequest('/votes', ({ proposal }) => ({
    vote: 'abstain',
    reason: 'I cannot tell.',
    proposal_hash: proposal,
  })),
  'POST /v1/action-requests/{id}/revisions': ofRequest('/revisions', () => ({
    value: 'other words',
    reason: 'It is clearer.',
  })),
  'POST /v1/action-requests/{id}/clearances': ofRequest('/clearances', ({ proposal }) => ({
    proposal_hash: proposal,
    finding: 0,
    reason: 'It is the version of a program.',
  })),
  'POST /v1/action-requests/{id}/questions': ofRequest('/questions', () => ({
    question: 'Who said it?',
  })),
  'POST /v1/action-requests/{id}/answers': ofRequest('/answers', () => ({
    answer: 'A colleague.',
  })),
  'POST /v1/action-requests/{id}/assignments': ofRequest('/assignments', () => ({ to: null })),
  'POST /v1/action-requests/{id}/comments': ofRequest('/comments', () => ({
    text: 'I know the source.',
  })),
  'POST /v1/action-requests/{id}/snoozes': ofRequest('/snoozes', () => ({ until: null })),

  'POST /v1/consents': ({ seed }) => ({
    path: 'consents',
    body: { text: 'Keep what I say in this job.', scope: 'job', job_seed: seed },
    isHidden: true,
  }),
  'GET /v1/consents': () => ({ path: 'consents', isList: true }),
  'POST /v1/consents/{id}/revocation': ({ consent }) => ({
    path: `consents/${consent}/revocation`,
    body: {},
    isHidden: true,
  }),

  'POST /v1/erasures/{id}/execution': ({ request }) => ({
    path: `erasures/${request}/execution`,
    body: {},
  }),
  'GET /v1/erasures/{id}': ({ request }) => ({ path: `erasures/${request}` }),

  'POST /v1/reflective-logs': ({ seed }) => ({
    path: 'reflective-logs',
    body: aLog({ job_seed: seed }),
  }),
  'GET /v1/reflective-logs': () => ({ path: 'reflective-logs', isList: true }),
  'GET /v1/reflective-logs/{id}': ofLog(''),
  'PATCH /v1/reflective-logs/{id}': ofLog('', { source: 'user' }),
  'POST /v1/reflective-logs/{id}/amendments': ofLog('/amendments', {
    changes: { note: 'a note' },
    effect: 'note',
  }),
  'POST /v1/reflective-logs/{id}/feedback': ofLog('/feedback', { rating: 4 }),
  'POST /v1/reflective-logs/{id}/labels': ofLog('/labels', { ground_truth_label: 'right' }),
  'POST /v1/reflective-logs/{id}/tags': ofLog('/tags', { audit_tags: ['seen'] }),
  'POST /v1/reflective-logs/{id}/reviews': ofLog('/reviews', { reason: 'Please look at it.' }),
  'POST /v1/reflective-logs/verification': onlyPath('reflective-logs/verification', {}),
  'GET /v1/quarantine': onlyPath('quarantine'),

  'POST /v1/route': ({ user }) => ({
    path: 'route',
    body: { query_text: 'What is 2 + 2?', user_id: user },
  }),
  'POST /v1/queries': ({ user }) => ({
    path: 'queries',
    body: { query_text: 'What is 2 + 2?', user_id: user },
  }),
  'GET /v1/reviews': onlyPath('reviews'),

  'POST /v1/memory/recall': (owned) => ({
    path: 'memory/recall',
    body: { ...turn(owned), query: 'tea' },
  }),
  'POST /v1/memory/interactions': (owned) => ({
    path: 'memory/interactions',
    body: { ...turn(owned), user_text: 'I prefer tea.', ai_text: 'Noted.' },
  }),
  'GET /v1/memory': ({ session }) => ({
    path: `memory?space=session&prefix=${session}`,
    isList: true,
  }),
  'GET /v1/memory/sessions': ({ user }) => ({
    path: `memory/sessions?user_id=${user}`,
    isList: true,
  }),
  'GET /v1/memory/{space}/{owner}': ofStore(''),
  'GET /v1/memory/{space}/{owner}/phases': ofStore('/phases'),
  'GET /v1/memory/{space}/{owner}/phases/diff': ofStore('/phases/diff?from=phase-1&to=phase-1'),
  'GET /v1/memory/{space}/{owner}/traces': ofStore('/traces'),
  'GET /v1/memory/{space}/{owner}/turns': ofStore('/turns'),

  'POST /v1/remember': ({ user }) => ({
    path: 'remember',
    body: { text: 'Likes tea', user_id: user },
  }),
  'POST /v1/recall': ({ user, marker }) => ({
    path: 'recall',
    body: { query: marker, user_id: user },
  }),
  'GET /v1/memories': ({ user }) => ({ path: `memories?user_id=${user}` }),
  'GET /v1/memories/bundle': ({ user }) => ({ path: `memories/bundle?user_id=${user}` }),
  'POST /v1/memories/replays': ({ user }) => ({
    path: 'memories/replays',
    body: { user_id: user },
  }),
  'GET /v1/memories/{memory_id}': ({ user, memory }) => ({
    path: `memories/${memory}?user_id=${user}`,
  }),
  'PUT /v1/memories/{memory_id}': ({ user, memory, marker }) => ({
    path: `memories/${memory}`,
    body: { text: marker, user_id: user },
  }),
  'DELETE /v1/memories/{memory_id}': ({ user }) => ({
    path: `memories/mem:00000000-0000-5000-8000-000000000000?user_id=${user}`,
  }),

  'PUT /v1/notes': ({ user, marker }) => ({
    path: 'notes',
    body: { owner: `user:${user}`, namespace: [marker], key: 'another', value: 1 },
  }),
  'GET /v1/notes': ({ user, marker }) => ({
    path: `notes?owner=user:${user}&namespace=${marker}&key=${marker}`,
  }),
  'DELETE /v1/notes': ({ user, marker }) => ({
    path: `notes?owner=user:${user}&namespace=${marker}&key=of_nobody`,
  }),
  'POST /v1/notes/list': ({ user }) => ({
    path: 'notes/list',
    body: { owner: `user:${user}` },
    isList: true,
  }),
  'POST /v1/notes/namespaces': ({ user }) => ({
    path: 'notes/namespaces',
    body: { owner: `user:${user}` },
    isList: true,
  }),
  'GET /v1/notes/bundle': ({ user, marker }) => ({
    path: `notes/bundle?owner=user:${user}&namespace=${marker}&key=${marker}`,
  }),
  'POST /v1/notes/replays': ({ user, marker }) => ({
    path: 'notes/replays',
    body: { owner: `user:${user}`, namespace: [marker], key: marker },
  }),
  'POST /v1/notes/history': ({ user, marker }) => ({
    path: 'notes/history',
    body: { owner: `user:${user}`, namespace: [marker], key: marker },
  }),

  'POST /v1/conversations/{id}/items': ofConversation('/items', { items: [{ text: 'Hello.' }] }),
  'GET /v1/conversations/{id}/items': ({ user, marker }) => ({
    path: `conversations/${marker}/items?owner=user:${user}`,
  }),
  'GET /v1/conversations/{id}/bundle': ({ user, marker }) => ({
    path: `conversations/${marker}/bundle?owner=user:${user}`,
  }),
  'POST /v1/conversations/{id}/replays': ({ user, marker }) => ({
    path: `conversations/${marker}/replays?owner=user:${user}`,
    body: {},
  }),
  'POST /v1/conversations/{id}/pop': ofConversation('/pop', {}),
  'POST /v1/conversations/{id}/clear': ofConversation('/clear', {}),
  'POST /v1/conversations/{id}/transactions': ofConversation('/transactions', {
    operation_id: 'example',
    from: 0,
    items: [],
  }),

  'PUT /v1/threads/checkpoints': ofThread('checkpoints', {
    checkpoint: { v: 4 },
    metadata: { step: 0 },
    channel_versions: {},
    channel_values: {},
  }),
  'PUT /v1/threads/writes': ofThread('writes', {
    task_id: 'task',
    writes: [{ index: 0, channel: 'answer', value: 42 }],
  }),
  'GET /v1/threads/checkpoints': (owned) => ({
    path: `threads/checkpoints?${new URLSearchParams(threadOf(owned)).toString()}`,
  }),
  'POST /v1/threads/list': (owned) => ({
    path: 'threads/list',
    body: threadOf(owned),
    isList: true,
  }),
  'DELETE /v1/threads': ({ marker }) => ({
    path: `threads?thread_id=${marker}-deleted`,
    isPrivate: true,
  }),
  'GET /v1/threads/bundle': (owned) => ({
    path: `threads/bundle?${new URLSearchParams(threadOf(owned)).toString()}`,
  }),
  'POST /v1/threads/replays': (owned) => ({ path: 'threads/replays', body: threadOf(owned) }),

  'GET /v1/collisions': onlyPath('collisions'),
  'GET /v1/retention': onlyPath('retention'),
  'GET /v1/streams/bundle': ({ request }) => ({ path: `streams/bundle?stream=request-${request}` }),
  'POST /v1/streams/replays': ({ request }) => ({
    path: 'streams/replays',
    body: { stream: `request-${request}` },
  }),
  'GET /v1/positions': onlyPath('positions?at=2020-01-01T00:00:00Z'),
  'GET /v1/positions/bundle': ({ seed }) => ({
    path: `positions/bundle?job_seed=${seed}&at=${new Date().toISOString()}`,
  }),
  'POST /v1/collisions/{id}/closure': onlyPath('collisions/none/closure', { reason: 'Both stay.' }),

  'POST /v1/console/links': () => ({ path: 'console/links', body: {}, isPrivate: true }),
  'GET /v1/console/session': () => ({ path: 'console/session', isPrivate: true }),

  'GET /v1/projections': onlyPath('projections'),
  'POST /v1/projections/{name}/rebuild': onlyPath('projections/obligations/rebuild', {}),
  'GET /v1/admin/queue': onlyPath('admin/queue'),
  'POST /v1/admin/queue/{id}/retry': onlyPath(
    'admin/queue/00000000-0000-5000-8000-000000000000/retry',
    {},
  ),
  'DELETE /v1/admin/queue/{id}': onlyPath('admin/queue/00000000-0000-5000-8000-000000000000'),
  'GET /v1/admin/status': onlyPath('admin/status'),
  'GET /v1/integrity/runs': onlyPath('integrity/runs'),
  'GET /v1/oversight/accesses': onlyPath('oversight/accesses'),
  'GET /v1/oversight/accesses/{position}/receipt': onlyPath('oversight/accesses/1/receipt'),
  'GET /v1/oversight/refusals': onlyPath('oversight/refusals'),
  'GET /v1/oversight/consents': onlyPath('oversight/consents'),
  'POST /v1/integrity/verification': onlyPath('integrity/verification', {}),
  'GET /v1/integrity/findings': onlyPath('integrity/findings'),
  'POST /v1/integrity/checkpoints': onlyPath('integrity/checkpoints', {}),
  'GET /v1/integrity/checkpoints': onlyPath('integrity/checkpoints'),
  'GET /v1/integrity/checkpoints/{checkpoint_id}': onlyPath('integrity/checkpoints/none'),
  'POST /v1/integrity/checkpoints/{checkpoint_id}/comparisons': onlyPath(
    'integrity/checkpoints/none/comparisons',
    {},
  ),
  'POST /v1/integrity/comparisons': () => ({
    path: 'integrity/comparisons',
    body: A_CHECKPOINT,
    type: 'application/x-ndjson',
  }),
  'GET /v1/integrity/comparisons': onlyPath('integrity/comparisons'),
};
