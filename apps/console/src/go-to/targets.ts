import type { MaceClient } from '#client/index.js';
import type { Moment } from '../moment/use-moment';
import { type FactParts, partsOf } from '../sem/fact-link';
import { hasRole, type Session } from '../session/session';
import { PAGES } from '../shell/pages';

/** Where an entry of the list leads. */
export type Way =
  | { readonly to: (typeof PAGES)[number]['to'] }
  | { readonly to: '/facts/$scope/$type/$id/$attribute'; readonly params: FactParts }
  | { readonly to: '/jobs/$seed'; readonly params: { readonly seed: string } }
  | { readonly to: '/requests/$id'; readonly params: { readonly id: string } }
  | {
      readonly to: '/spaces/$space/$owner';
      readonly params: { readonly space: string; readonly owner: string };
    }
  | { readonly to: '/person'; readonly search: { readonly user_id: string } }
  | { readonly to: '/search'; readonly search: { readonly q: string } };

export interface Target {
  readonly kind: 'page' | 'fact' | 'job' | 'request' | 'session' | 'person' | 'search';
  readonly name: string;
  /** What else a person wants to know before going there. */
  readonly more?: string;
  readonly way: Way;
}

/** The most entries of one kind. */
const MOST = 6;

/** Returns where a text leads that the console knows by itself: pages, a person, and the search. */
export function knownTargets(text: string, session: Session): readonly Target[] {
  const lower = text.toLowerCase();
  const pages = PAGES.filter(
    ({ name, roles }) => hasRole(session, ...roles) && name.toLowerCase().startsWith(lower),
  ).map(({ name, to }) => ({ kind: 'page', name, way: { to } }) as const);
  if (text === '') return pages;
  return [
    ...pages,
    { kind: 'person', name: text, way: { to: '/person', search: { user_id: text } } },
    { kind: 'search', name: text, way: { to: '/search', search: { q: text } } },
  ];
}

interface Call {
  readonly signal: AbortSignal;
}

/** Asks the service what a text leads to: facts by the beginning of the key, jobs by that of the seed, sessions by that of their name, a request by its id. */
export async function foundTargets(
  mace: MaceClient,
  text: string,
  moment: Moment,
  call: Call,
): Promise<readonly Target[]> {
  // What a person may not list leads nowhere, and each page says what has failed there.
  const found = await Promise.all(
    [factsOf, jobsOf, sessionsOf, requestOf].map((find) =>
      find(mace, text, moment, call).catch(() => []),
    ),
  );
  return found.flat();
}

type Find = (
  mace: MaceClient,
  text: string,
  moment: Moment,
  call: Call,
) => Promise<readonly Target[]>;

const factsOf: Find = async (mace, text, moment, call) => {
  const { facts } = await mace.sem.search(text, undefined, { limit: MOST, ...moment, ...call });
  return facts.map(({ key }) => ({
    ...{ kind: 'fact', name: key },
    way: { to: '/facts/$scope/$type/$id/$attribute', params: partsOf(key) },
  }));
};

const jobsOf: Find = async (mace, text, moment, call) => {
  const { jobs } = await mace.jobs.list({ seed_prefix: text, limit: MOST, ...moment }, call);
  return jobs.map(({ job_seed, status, goal }) => ({
    ...{ kind: 'job', name: job_seed, more: goal ?? status },
    way: { to: '/jobs/$seed', params: { seed: job_seed } },
  }));
};

const REQUEST_ID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

const sessionsOf: Find = async (mace, text, moment, call) => {
  const asked = { space: 'session', prefix: text, limit: MOST, ...moment } as const;
  const { stores } = await mace.memory.stores(asked, call);
  return stores.map(({ space, owner }) => ({
    ...{ kind: 'session', name: owner },
    way: { to: '/spaces/$space/$owner', params: { space, owner } },
  }));
};

const requestOf: Find = async (mace, text, moment, call) => {
  if (!REQUEST_ID.test(text)) return [];
  const { request_id, status, target_sem_key } = await mace.actionRequests.get(text, {
    ...moment,
    ...call,
  });
  return [
    {
      ...{ kind: 'request', name: request_id, more: `${status} · ${target_sem_key ?? ''}` },
      way: { to: '/requests/$id', params: { id: request_id } },
    },
  ];
};
