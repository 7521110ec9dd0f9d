import type { Postgres } from '#read-model/postgres.js';
import type { ObligationKind } from './pending-obligations.js';

export interface Obligation {
  readonly kind: ObligationKind;
  readonly stream: string;
}

const DUE = {
  name: 'obligations_due',
  text: `select kind, stream from obligations.obligation
         where due_at <= now() order by due_at, stream limit $1`,
};

/** What has fallen due, the longest waiting first. */
export const dueObligations = (postgres: Postgres, limit: number): Promise<Obligation[]> =>
  postgres.query<Obligation>(DUE, [limit]);
