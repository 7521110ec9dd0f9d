import type { ActionRequestListing } from '#client/index.js';
import type { Session } from '../session/session';
import type { QueueSearch } from './queue-search';
import { concerns, isSelf } from './reviewer';

type Counts = Readonly<Record<string, number>>;

/** The numbers that come with the first page of a list. */
export interface QueueCounts {
  readonly by_status: Counts;
  readonly by_risk: Counts | null;
  readonly by_question: Counts;
}

/** A page of a list of requests. */
export interface QueuePart {
  readonly action_requests: readonly ActionRequestListing[];
  readonly counts?: QueueCounts;
}

/** Leaves requests out of a list and of its numbers. */
export function withoutRows<Part extends QueuePart>(
  pages: readonly Part[],
  left: ReadonlySet<string>,
): readonly Part[] {
  const out = pages
    .flatMap(({ action_requests }) => action_requests)
    .filter(({ request_id }) => left.has(request_id));
  if (out.length === 0) return pages;
  return pages.map((page) => ({
    ...page,
    action_requests: page.action_requests.filter(({ request_id }) => !left.has(request_id)),
    ...(page.counts === undefined ? {} : { counts: countsWithout(page.counts, out) }),
  }));
}

const countsWithout = (
  { by_status, by_risk, by_question }: QueueCounts,
  out: readonly ActionRequestListing[],
): QueueCounts => ({
  by_status: less(
    by_status,
    out.map(({ status }) => status),
  ),
  by_risk:
    by_risk &&
    less(
      by_risk,
      out.map(({ risk }) => risk?.level ?? ''),
    ),
  by_question: less(by_question, out.flatMap(questionsOf)),
});

const less = (counts: Counts, names: readonly string[]): Counts =>
  Object.fromEntries(
    Object.entries(counts).map(([name, count]) => [
      name,
      count - names.filter((one) => one === name).length,
    ]),
  );

/** The numbers by questions that a request is in. They overlap, because several reviewers may ask. */
const questionsOf = (row: ActionRequestListing) => [
  ...(row.awaits_answer ? ['waiting'] : []),
  ...(row.answers_caller ? ['answered_caller'] : []),
  ...(row.answers_reviewer ? ['answered'] : []),
];

/** Requests that stand together, because they have the same proposer or job. */
export interface QueueGroup {
  readonly name: string;
  readonly rows: readonly ActionRequestListing[];
}

/** Returns the groups of a list, each where its first request stands. */
export function groupsOf(
  rows: readonly ActionRequestListing[],
  by: NonNullable<QueueSearch['group']>,
): readonly QueueGroup[] {
  const nameOf = ({ proposer, job_seed }: ActionRequestListing): string =>
    by === 'proposer' ? proposer.sub : (job_seed ?? 'Without a job');
  return [...together(rows, nameOf)].map(([name, ofGroup]) => ({ name, rows: ofGroup }));
}

/** Returns the requests by a name, each name where its first request stands. */
function together(
  rows: readonly ActionRequestListing[],
  nameOf: (row: ActionRequestListing) => string,
): ReadonlyMap<string, readonly ActionRequestListing[]> {
  const groups = new Map<string, ActionRequestListing[]>();
  for (const row of rows) {
    const group = groups.get(nameOf(row));
    if (group === undefined) groups.set(nameOf(row), [row]);
    else group.push(row);
  }
  return groups;
}

/**
 * Returns the requests in the order in which the queue shows them: first those whose vote was refused, and each group
 * where its first request stands. What waits for one fact stands together, so that a reviewer sees all its values.
 */
export function arranged(
  rows: readonly ActionRequestListing[],
  { group, order = 'deadline', status = 'pending' }: QueueSearch,
  returned: ReadonlySet<string>,
): readonly ActionRequestListing[] {
  const isBack = (row: ActionRequestListing): boolean => returned.has(row.request_id);
  const ordered = [...rows.filter(isBack), ...rows.filter((row) => !isBack(row))];
  if (group === undefined)
    return order === 'deadline' && status === 'pending' ? withRivals(ordered) : ordered;
  return groupsOf(ordered, group).flatMap((each) => each.rows);
}

const withRivals = (rows: readonly ActionRequestListing[]): readonly ActionRequestListing[] =>
  [
    ...together(rows, ({ target_sem_key, request_id }) => target_sem_key ?? request_id).values(),
  ].flat();

/** True for two requests that wait for the same fact. */
export const areRivals = (
  one: ActionRequestListing,
  other: ActionRequestListing | undefined,
): boolean =>
  one.status === 'pending' &&
  other?.status === 'pending' &&
  one.target_sem_key !== null &&
  one.target_sem_key === other.target_sem_key;

/** True for a request on which this person can still vote (SPEC G2, G8). */
export const waitsFor = (session: Session, row: ActionRequestListing): boolean =>
  row.status === 'pending' &&
  row.own_vote === null &&
  !concerns(row, session) &&
  !isSelf(row.editor, session);

/**
 * Returns the requests to decide on after the one at a place, in their order: first those below it that wait for this
 * person, then those above it.
 */
export const nextToDecide = (
  rows: readonly ActionRequestListing[],
  place: number,
  current: string,
  session: Session,
): readonly string[] =>
  [...rows.slice(place), ...rows.slice(0, place)]
    .filter((row) => row.request_id !== current && waitsFor(session, row))
    .map(({ request_id }) => request_id);
