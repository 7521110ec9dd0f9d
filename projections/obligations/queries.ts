import type { Postgres } from '#read-model/postgres.js';
import type { ObligationKind as PendingKind } from './tables.js';

/** `report_request`: the log of a job has to list events of a request (SPEC G3). */
export type ObligationKind = PendingKind | 'report_request';

export interface Obligation {
  readonly kind: ObligationKind;
  readonly stream: string;
}

// A request has to wait until its job has ended and has a log.
const DUE = {
  name: 'obligations_due',
  text: `select kind, stream from (
           select kind, stream, due_at from obligations.obligation
           union all
           select 'report_request', stream, due_at from obligations.job_request as request
           where listed_number < last_number and exists (
             select from reflective_logs.reflective_log_stage0 as log
             where log.log_id = request.log_id)
         ) as obligation
         where due_at <= now() and not (kind || ' ' || stream) = any($2::text[])
         order by due_at, stream limit $1`,
};

export const obligationKey = ({ kind, stream }: Obligation): string => `${kind} ${stream}`;

/** Returns due obligations, the oldest first, without the postponed ones. */
export const dueObligations = (
  postgres: Postgres,
  limit: number,
  postponedKeys: readonly string[],
): Promise<Obligation[]> => postgres.query<Obligation>(DUE, [limit, postponedKeys]);
