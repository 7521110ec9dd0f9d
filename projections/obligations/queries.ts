import type { Postgres } from '#read-model/postgres.js';
import type { ObligationKind } from './pending-obligations.js';

export interface Obligation {
  readonly kind: ObligationKind;
  readonly stream: string;
}

const DUE = {
  name: 'obligations_due',
  text: `select kind, stream from obligations.obligation
         where due_at <= now() and not (kind || ' ' || stream) = any($2::text[])
         order by due_at, stream limit $1`,
};

/** What an obligation is called among those that are put off. */
export const obligationKey = ({ kind, stream }: Obligation): string => `${kind} ${stream}`;

/** What has fallen due, the longest waiting first, without those that are put off. */
export const dueObligations = (
  postgres: Postgres,
  limit: number,
  putOff: readonly string[],
): Promise<Obligation[]> => postgres.query<Obligation>(DUE, [limit, putOff]);
