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

/** Returns the key of an obligation in the list of postponed ones. */
export const obligationKey = ({ kind, stream }: Obligation): string => `${kind} ${stream}`;

/** Returns due obligations, the oldest first, without the postponed ones. */
export const dueObligations = (
  postgres: Postgres,
  limit: number,
  postponedKeys: readonly string[],
): Promise<Obligation[]> => postgres.query<Obligation>(DUE, [limit, postponedKeys]);
