import type { Consent } from '#client/index.js';
import { Badge } from '../ui/badge';
import type { Column } from '../ui/data-table';
import { Instant } from '../ui/instant';
import { VisibleText } from '../ui/visible-text';

const scopeOf = ({ scope, job_seed }: Consent) =>
  scope === 'job' ? (
    <>
      the job <VisibleText text={job_seed ?? ''} />
    </>
  ) : (
    'until it is revoked'
  );

const StateBadge = ({ consent: { revoked_at } }: { readonly consent: Consent }) =>
  revoked_at === null ? (
    <Badge kind="good">given</Badge>
  ) : (
    <>
      <Badge>revoked</Badge> <Instant at={revoked_at} />
    </>
  );

export const CONSENT_COLUMNS: readonly Column<Consent>[] = [
  { name: 'Words', cell: ({ text }) => <VisibleText text={text} /> },
  { name: 'Holds for', cell: scopeOf },
  { name: 'Given', cell: ({ given_at }) => <Instant at={given_at} /> },
  { name: 'State', cell: (consent) => <StateBadge consent={consent} /> },
  {
    name: 'Sensitive data',
    cell: ({ sensitive_data_approved }) =>
      sensitive_data_approved ? 'approved by the council' : 'not approved',
  },
];
