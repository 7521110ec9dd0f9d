import type { AdminAccess } from '#client/index.js';
import type { Column } from '../ui/data-table';
import { Instant } from '../ui/instant';
import { LongText } from '../ui/long-text';
import { VisibleText } from '../ui/visible-text';
import { AccessReceipt } from './access-receipt';

/** The columns of every list of unredacted reads. A program may have given no reason, the console asks for one. */
export const ACCESS_COLUMNS: readonly Column<AdminAccess>[] = [
  { name: 'Who', cell: ({ sub }) => <VisibleText text={sub} /> },
  { name: 'What', cell: ({ stream }) => <VisibleText text={stream} /> },
  { name: 'Version', cell: ({ version }) => version ?? 'the latest', isNumber: true },
  { name: 'When', cell: ({ recorded_at }) => <Instant at={recorded_at} /> },
  {
    name: 'Reason',
    cell: ({ reason }) => (reason === null ? 'none was given' : <LongText text={reason} />),
  },
  { name: 'Trace id', cell: ({ trace_id }) => <code>{trace_id}</code> },
  { name: 'Receipt', cell: (access) => <AccessReceipt access={access} /> },
];
