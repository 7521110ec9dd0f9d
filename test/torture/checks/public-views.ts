import { isDeepStrictEqual } from 'node:util';
import { MaceClient } from '#client/mace-client.js';
import type { JsonObject } from '#domain/json.js';
import type { LoggedEvent } from '#event-store/event-store.js';
import type { ServiceClient } from '#test/support/service-client.js';
import { withConcurrency } from '#test/faults/support/checks.js';

type Streams = ReadonlyMap<string, readonly LoggedEvent[]>;

const AT_ONCE = 8;

/**
 * Compares what an instance answers with a fold of the log that shares no code with the product: every fact,
 * action request, job, note, and store of the Memory Contract.
 */
export async function publicViewFaults(
  instance: ServiceClient,
  streams: Streams,
): Promise<string[]> {
  const token = await instance.token(['auditor', 'admin', 'council']);
  const mace = new MaceClient({ baseUrl: instance.url, token });
  const last = [...streams.values()]
    .flat()
    .reduce((max, { position }) => (position > max ? position : max), 0n);
  const after = { after: last };
  const faults: string[] = [];
  const compare = (what: string, view: unknown, fold: unknown): void => {
    // The order of keys does not count in a read.
    if (isDeepStrictEqual(view, fold)) return;
    faults.push(`${what} is shown as ${JSON.stringify(view)}; the log has ${JSON.stringify(fold)}`);
  };
  const each = (
    prefix: string,
    handle: (id: string, events: readonly LoggedEvent[]) => Promise<void>,
  ) =>
    withConcurrency([...streams], AT_ONCE, async ([stream, events]) => {
      if (stream.startsWith(prefix)) await handle(stream.slice(prefix.length), events);
    });

  await each('sem-', async (key, events) => {
    const value = factOf(events);
    if (value === undefined) return;
    const fact = await mace.sem.get(key, {}, after);
    compare(`the fact ${key}`, [fact.exists, fact.value], [value !== null, value]);
  });
  await each('request-', async (id, events) => {
    const { status, votes, value } = await mace.actionRequests.get(id, after);
    const cast = events.filter(({ type }) => type === 'vote_cast').length;
    const last = events.findLast(({ type }) => type === 'proposal_revised') ?? events[0];
    const proposed = (last?.data['action'] ?? last?.data) as JsonObject;
    compare(`the request ${id}`, [status, votes.length], [statusOf(events), cast]);
    if ('value' in proposed) compare(`the value of request ${id}`, value, proposed['value']);
  });
  const listed = new Map<string, { readonly version: number; readonly status: string }>();
  for await (const job of mace.jobs.all({}, after)) listed.set(job.job_seed, job);
  await each('job-', async (seed, events) => {
    const hasEnded = events.some(({ type }) => type === 'job_ended');
    const fold = [events.length - 1, hasEnded ? 'ended' : 'running'];
    const row = listed.get(seed);
    compare(`the listed job ${seed}`, [row?.version, row?.status], fold);
    const job = await mace.job(seed).get();
    compare(`the job ${seed}`, [job.version, job.status], fold);
  });
  await each('memory-', async (store, events) => {
    const [space, ...owner] = store.split(':');
    const view = await mace.memory.store(space as 'session', owner.join(':'), {}, after);
    compare(`the version of the store ${store}`, view.version, events.length - 1);
    const stored = new Set(
      events
        .filter(({ type }) => type === 'item_stored')
        .map(({ data }) => (data['item'] as JsonObject | undefined)?.['id'] ?? data['id']),
    );
    for (const { id } of view.items)
      if (!stored.has(id))
        faults.push(`the store ${store} shows ${id}, which the log has not stored`);
  });
  await each('note-', async (id, events) => {
    const last = events.at(-1);
    const note = await mace.notes.ofStream(`note-${id}`, after);
    compare(
      `the note ${id}`,
      note?.value,
      last?.type === 'note_put' ? last.data['value'] : undefined,
    );
  });
  return faults;
}

/** Returns the value of a fact, null if it is deleted, and undefined if it was only claimed. */
function factOf(events: readonly LoggedEvent[]): unknown {
  let value: unknown;
  for (const { type, data } of events)
    if (type === 'fact_put') value = data['superseded'] === true ? value : data['value'];
    else if (type === 'fact_deleted') value = null;
  return value;
}

function statusOf(events: readonly LoggedEvent[]): string {
  const types = events.map(({ type }) => type);
  const statuses = [
    ['request_executed', 'executed'],
    ['execution_refused', 'execution_refused'],
    ['request_approved', 'approved'],
    ['request_rejected', 'rejected'],
    ['request_expired', 'expired'],
  ] as const;
  return statuses.find(([type]) => types.includes(type))?.[1] ?? 'pending';
}
