import type { NamedQuery } from '#read-model/postgres.js';
import { REQUEST } from './tables.js';
import { isReadable } from './readable-sql.js';
import { RISK_OF } from './risk-sql.js';

/** The orders of a list. Each has a cursor of its own. */
export const QUEUE_ORDERS = ['oldest', 'newest', 'deadline', 'risk'] as const;
export type QueueOrder = (typeof QUEUE_ORDERS)[number];

/** `own_vote` is the vote on the current value by the sub $8. */
const OWN_VOTE = `(select v.vote from action_requests.vote as v
  where v.request_id = r.request_id and v.voter_sub = $8 and v.proposal_hash = r.proposal_hash limit 1)`;

const NOW = `to_char(now() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** Until when the person of this name, $17, has put the request off; null if it has not, or no longer. */
const SNOOZED_UNTIL = `(select s.snoozed_until from action_requests.snooze as s
  where s.request_id = r.request_id and s.snoozer = $17 and s.snoozed_until > ${NOW})`;

/** True if the request was made by or for a person whose ids have the forms $15, and the entity ids $16. */
const CONCERNS = `(r.proposer_sub = any($15)
  or lower(regexp_replace(r.proposer_sub, '^user_', '', 'i')) = any($15)
  or coalesce(r.proposer_user_folded = any($15), false)
  or coalesce(r.made_for_folded = any($15) or r.made_for = any($16::text[]), false))`;

/** The columns of a list, without the evidence, which can have 250 KB. */
const LISTED = REQUEST.columnsWithout('evidence', 'r');

/** $1 to $17: the filter of `filterValues`, without status and risk. */
const RANKED = `select ${LISTED}, risk.reasons, risk.rank, ${OWN_VOTE} as own_vote, ${SNOOZED_UNTIL} as snoozed_until
  from action_requests.request as r ${RISK_OF}
  where ($1::text is null or r.kind = $1)
    and ($2::text is null or r.target_sem_key = $2)
    and ${isReadable('r', 3)}
    and ($9::text is null or r.proposer_sub = $9)
    and ($10::text is null or starts_with(r.target_sem_key, $10))
    and ($11::text is null or strpos(lower(r.justification), lower($11)) > 0
      or strpos(r.target_sem_key, lower($11)) > 0)
    and ($12::boolean is null or $12 = (${OWN_VOTE} is not null))
    and ($13::text is null or r.assigned_to = $13)
    and ($14::boolean is null or $14 = (${SNOOZED_UNTIL} is not null))
    and ($15::text[] is null or not ${CONCERNS})`;

/** The states of the questions about a request: they overlap, because several reviewers may ask. */
export const QUESTION_STATES = ['waiting', 'answered', 'answered_caller'] as const;
export type QuestionState = (typeof QUESTION_STATES)[number];

const IS_ANSWERED = 'cardinality(answered_askers) > 0';
/** True if the last question of the sub $8 is answered. */
const ANSWERS_CALLER = 'coalesce($8::text = any(answered_askers), false)';

/** The rows after the cursor, and their order. */
const PAGES: Readonly<Record<QueueOrder, { readonly after: string; readonly by: string }>> = {
  oldest: { after: 'position > at_position', by: 'position' },
  newest: { after: 'position < at_position', by: 'position desc' },
  deadline: {
    after: '(expires_at, -coalesce(rank, -1), position) > (at_deadline, -at_rank, at_position)',
    by: 'expires_at, coalesce(rank, -1) desc, position',
  },
  risk: {
    after: '(-coalesce(rank, -1), expires_at, position) > (-at_rank, at_deadline, at_position)',
    by: 'coalesce(rank, -1) desc, expires_at, position',
  },
};

const CURSOR = 'select $20::int as at_rank, $21::text as at_deadline, $22::bigint as at_position';

/** $18 status, $19 rank, $20 to $22 the cursor, $23 limit, $24 a QuestionState, $25 the last position. */
export const listQuery = (order: QueueOrder): NamedQuery => ({
  name: `action_requests_list_${order}`,
  text: `select ranked.*, ${ANSWERS_CALLER} as answers_caller from (${RANKED}) as ranked, (${CURSOR}) as cursor
    where ($18::text is null or status = $18 or $25::bigint is not null and last_position > $25)
      and ($19::int is null or rank = $19)
      and ($24::text is null or $24 = 'waiting' and awaits_answer or $24 = 'answered' and ${IS_ANSWERED}
        or $24 = 'answered_caller' and ${ANSWERS_CALLER})
      and ($25::bigint is null or position <= $25)
      and (at_position is null or ${PAGES[order].after})
    order by ${PAGES[order].by} limit $23`,
});

/** The number of requests of each status, rank and states of questions; $1 to $17 as in a list. */
export const COUNTS: NamedQuery = {
  name: 'action_requests_queue_counts',
  text: `select status, rank, awaits_answer as waiting, ${IS_ANSWERED} as answered, ${ANSWERS_CALLER} as answered_caller,
      count(*)::int as count
    from (${RANKED}) as ranked group by 1, 2, 3, 4, 5`,
};
