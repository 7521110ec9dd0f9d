import {
  HIGH_FROM,
  MEDIUM_FROM,
  RISK_LEVELS,
  RISK_REASON_CODES,
  RISK_REASONS,
  type RiskReason,
} from '#domain/action-request/risk-reasons.js';
import type { NamedQuery } from '#read-model/postgres.js';
import { REQUEST } from './tables.js';
import { isReadable } from './readable-sql.js';

const when = (condition: string, reason: RiskReason): string =>
  `case when ${condition} then '${reason}' end`;

/** True if the proposer has an executed request that meets a condition. */
const hasExecuted = (condition = 'true'): string =>
  `exists (select 1 from action_requests.request as e
    where e.proposer_sub = r.proposer_sub and e.status = 'executed' and ${condition})`;

/** True if `o` is a request with the value of `r` for its key, which the votes rejected. */
const IS_REJECTED_LIKE = `o.target_sem_key = r.target_sem_key and o.status = 'rejected'
  and o.rejection_reason = 'votes' and not o.is_sealed and not r.is_sealed and o.held = r.held`;

/**
 * The reasons that a waiting request `r` gives by itself and by what else is recorded now. @param isKnown the condition on
 * the other requests `o` for its key that count
 */
const foundOf = (isKnown: string): string => `r.own_reasons || array_remove(array[
  ${when('r.is_sealed', 'personal_data')},
  ${when(
    `exists (select 1 from sem.fact as f where f.key = r.target_sem_key and f.is_current
      and (f.is_sealed or r.is_sealed or f.held <> r.held))`,
    'contradiction',
  )},
  ${when(
    `exists (select 1 from action_requests.request as o
      where o.target_sem_key = r.target_sem_key and o.status = 'pending'
        and o.request_id <> r.request_id and (o.is_sealed or r.is_sealed or o.held <> r.held)
        and ${isKnown})`,
    'rival_request',
  )},
  ${when(
    `exists (select 1 from action_requests.request as o
      where ${IS_REJECTED_LIKE} and ${isKnown})`,
    'rejected_before',
  )},
  case when not ${hasExecuted()} then 'first_time_proposer'
    when r.target_sem_key is not null and not ${hasExecuted('e.target_area = r.target_area')}
    then 'unusual_target' end,
  ${when(
    `'in_evidence' = any(r.own_reasons) and exists (select 1 from episodes.entry as p
      where p.episodic_id = any(r.cited_episodes) and p.source = 'executor')`,
    'tool_evidence',
  )}
], null)`;

const WEIGHTS = RISK_REASON_CODES.map(
  (reason, place) => `('${reason}', ${RISK_REASONS[reason].points}, ${place})`,
).join(', ');

/**
 * Selects `reasons`, the weightiest first, and `rank`, the place of the level in RISK_LEVELS, from an array of reasons.
 * What lowers the points does not outweigh a reason that makes the risk high by itself.
 */
export const weighed = (found: string): string =>
  `select coalesce(array_agg(w.reason order by w.place), '{}') as reasons,
    case when coalesce(max(w.points), 0) >= ${HIGH_FROM} or coalesce(sum(w.points), 0) >= ${HIGH_FROM} then 2
      when coalesce(sum(w.points), 0) >= ${MEDIUM_FROM} then 1 else 0 end as rank
  from (values ${WEIGHTS}) as w (reason, points, place) where w.reason = any(${found})`;

const LEVELS = `array[${RISK_LEVELS.map((level) => `'${level}'`).join(', ')}]`;

/**
 * Joins `risk` with its `reasons` and `rank` to a request `r`: the present risk of a waiting request, and the one that the
 * last vote recorded of another, both null if it recorded none. The subqueries with an offset run once for each request.
 */
const riskOf = (isKnown: string): string => `cross join lateral (
    select case when r.status = 'pending' then ${foundOf(isKnown)} end as reasons offset 0
  ) as found
  cross join lateral (
    select weighed.* from (${weighed('found.reasons')}) as weighed where r.status = 'pending'
    union all
    select r.voted_reasons, array_position(${LEVELS}, r.voted_risk) - 1 where r.status <> 'pending'
  ) as risk`;

export const RISK_OF = riskOf('true');

export const RISK_BY_ID: NamedQuery = {
  name: 'action_requests_risk',
  text: `select ${REQUEST.columnsWithout('evidence', 'r')}, risk.reasons, risk.rank
    from action_requests.request as r ${RISK_OF}
    where r.request_id = $1`,
};

/** The other requests with the value of a request that the council rejected, the newest first. */
export const REJECTED_LIKE: NamedQuery = {
  name: 'action_requests_rejected_like',
  text: `select ${REQUEST.columnsWithout('evidence', 'o')} from action_requests.request as r
    join action_requests.request as o on o.request_id <> r.request_id and ${IS_REJECTED_LIKE}
    where r.request_id = $1 order by o.position desc limit $2`,
};

/** The risk of a request that has no row, from the row that it would have as JSON $1, and from what `$2` to `$6` let read. */
export const RISK_IF_MADE: NamedQuery = {
  name: 'action_requests_risk_if_made',
  text: `select risk.reasons, risk.rank
    from jsonb_populate_record(null::action_requests.request, $1::jsonb) as r
    ${riskOf(isReadable('o', 2))}`,
};
