import type { ClosedRequest } from '#domain/action-request/council-figures.js';
import type { Vote } from '#domain/action-request/events.js';
import type { NamedQuery, Postgres } from '#read-model/postgres.js';
import type { BriefRequest } from './request-columns.js';
import { REQUEST, type StoredVote, VOTE } from './tables.js';

const PAGE = 500;

const CLOSED: NamedQuery = {
  name: 'action_requests_closed',
  text: `select ${REQUEST.columnsWithout('evidence', 'request')} from action_requests.request
    where decided_at >= $1 and decided_at < $2 and (decided_at, position) > ($3, $4::bigint)
    order by decided_at, position limit ${PAGE}`,
};

const VOTES_OF: NamedQuery = {
  name: 'action_requests_votes_of',
  text: 'select * from action_requests.vote where request_id = any($1::text[]) order by request_id, number',
};

/** Returns the requests that were closed from one time to before another, with the votes on their final values. */
export async function closedBetween(
  postgres: Postgres,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<ClosedRequest[]> {
  const closed: ClosedRequest[] = [];
  let after: readonly [string, string] = ['', '0'];
  for (;;) {
    const rows = await REQUEST.read(postgres, CLOSED, [from, to, ...after]);
    const ids = rows.map(({ request_id }) => request_id);
    const votes = await VOTE.read(postgres, VOTES_OF, [ids]);
    closed.push(...closedOf(rows, votes));
    const last = rows.at(-1);
    if (last === undefined || rows.length < PAGE) return closed;
    after = [last.decided_at ?? '', last.position];
  }
}

function closedOf(rows: readonly BriefRequest[], votes: readonly StoredVote[]): ClosedRequest[] {
  const votesOn = new Map<string, Vote[]>();
  for (const { request_id, proposal_hash, vote } of votes) {
    const value = `${request_id} ${proposal_hash}`;
    votesOn.set(value, [...(votesOn.get(value) ?? []), vote]);
  }
  return rows.flatMap((row) => {
    const { kind, status, requested_at, decided_at, revisions, request_id, proposal_hash } = row;
    if (status === 'pending' || decided_at === null) return [];
    const final = votesOn.get(`${request_id} ${proposal_hash}`) ?? [];
    return [{ kind, status, requested_at, decided_at, revisions, votes: final }];
  });
}
