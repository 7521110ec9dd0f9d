import { reflectiveLogId } from '#domain/determinism/ids.js';
import { peopleOf, PET, SEED, SESSION } from '#test/golden/recorded-use.js';
import { Caller } from '#test/support/caller.js';
import type { ServiceClient } from '#test/support/service-client.js';

type Who = 'agent' | 'user' | 'admin' | 'auditor' | 'council' | 'kept';

/** A request that changes nothing, and its answer when the data directory was recorded. */
export interface RecordedRead {
  readonly by: Who;
  readonly method: string;
  readonly path: string;
  readonly body?: object;
  readonly answer?: unknown;
}

/** The user whose personal data is kept, because nobody asks for its erasure. */
export const KEPT = 'kept';

async function callersOf(service: ServiceClient): Promise<Readonly<Record<Who, Caller>>> {
  const people = await peopleOf(service);
  const kept = await Caller.of(service, 'user', { sub: KEPT });
  return { ...people, council: people.council[0], kept };
}

/** Returns the answers of reads. */
export async function answersTo(
  service: ServiceClient,
  reads: readonly RecordedRead[],
): Promise<readonly RecordedRead[]> {
  const callers = await callersOf(service);
  const answers: RecordedRead[] = [];
  for (const { answer: _, ...read } of reads) {
    const { status, body } = await callers[read.by].ask<unknown>(
      read.method,
      read.path,
      read.body === undefined ? {} : { body: read.body },
    );
    answers.push({ ...read, answer: { status, body } });
  }
  return answers;
}

const get = (by: Who, path: string): RecordedRead => ({ by, method: 'GET', path });
const post = (by: Who, path: string, body: object): RecordedRead => ({
  ...{ by, method: 'POST', path, body },
});

/** Returns reads of everything that the service keeps. */
export async function readsOf(service: ServiceClient): Promise<readonly RecordedRead[]> {
  const { auditor } = await callersOf(service);
  const { jobs } = await auditor.get<{ jobs: { job_seed: string }[] }>('jobs?limit=100');
  const { action_requests } = await auditor.get<{
    action_requests: { request_id: string }[];
  }>('action-requests?limit=100');
  const query = 'Which room did Ben book?';
  const { as_of } = await auditor.post<{ as_of: string }>('search', { query });
  const note = { namespace: ['golden', 'people'], key: 'someone@example.com' };
  const log = reflectiveLogId(SEED);
  return [
    ...jobs.flatMap(({ job_seed }) => [
      get('auditor', `jobs/${job_seed}`),
      get('auditor', `jobs/${job_seed}/events`),
      post('auditor', `jobs/${job_seed}/replays`, { mode: 'strict' }),
    ]),
    get('auditor', 'jobs?limit=100'),
    get('admin', 'sem?prefix=world/'),
    get('user', PET),
    get('kept', 'sem/user/profile/user_kept/contact'),
    get('auditor', 'sem/user/profile/user_kept/contact'),
    post('agent', 'episodes/query', { query_terms: 'rooms river' }),
    post('auditor', 'search', { query, as_of }),
    ...action_requests.map(({ request_id }) => get('auditor', `action-requests/${request_id}`)),
    get('council', 'collisions'),
    get('user', 'consents'),
    get('kept', 'consents'),
    get('auditor', `reflective-logs/${log}`),
    post('agent', 'notes/history', note),
    post('agent', 'notes/list', { prefix: ['golden'] }),
    post('agent', 'notes/replays', { ...note, mode: 'strict' }),
    get('agent', 'conversations/golden-chat/items?version=4'),
    get('agent', 'conversations/kept-chat/items'),
    post('agent', 'conversations/golden-chat/replays', { mode: 'strict' }),
    get('agent', 'threads/checkpoints?thread_id=golden-thread'),
    post('agent', 'threads/replays', { thread_id: 'golden-thread' }),
    ...[`session/${SESSION}`, 'user/golden', 'session/golden-searches'].flatMap((store) => [
      get('agent', `memory/${store}`),
      get('agent', `memory/${store}/phases`),
      get('agent', `memory/${store}/traces`),
    ]),
    get('auditor', 'oversight/accesses'),
    get('auditor', 'oversight/refusals'),
    get('auditor', 'oversight/consents'),
  ];
}
