import type { Retention } from '#client/index.js';
import { usePages } from '../data/queries';
import { useLive } from '../live/live';
import { Answered } from '../ui/answered';
import { Badge } from '../ui/badge';
import { type Column, DataTable } from '../ui/data-table';
import { Instant, inWords } from '../ui/instant';
import { Message } from '../ui/message';
import { MoreButton } from '../ui/more-button';
import { VisibleText } from '../ui/visible-text';
import { PrivacyFrame } from './privacy-frame';
import { SEALED_KINDS } from './sealed-kinds';

/** The streams whose events may be sealed. An erasure is recorded in that of its request. */
const SEALED = Object.keys(SEALED_KINDS);

type Subject = Retention['subjects'][number];

function DueBadge({ subject: { erased, is_due, due_at } }: { readonly subject: Subject }) {
  if (erased) return <Badge kind="good">erased</Badge>;
  return is_due ? <Badge kind="warning">due</Badge> : <Badge>due {inWords(due_at)}</Badge>;
}

const COLUMNS: readonly Column<Subject>[] = [
  { name: 'Subject', cell: ({ subject }) => <VisibleText text={subject} /> },
  { name: 'State', cell: (subject) => <DueBadge subject={subject} /> },
  { name: 'Events', cell: ({ events }) => events.toLocaleString('en'), isNumber: true },
  { name: 'First kept', cell: ({ first_recorded_at }) => <Instant at={first_recorded_at} /> },
  { name: 'Last kept', cell: ({ last_recorded_at }) => <Instant at={last_recorded_at} /> },
  { name: 'Period over', cell: ({ due_at }) => <Instant at={due_at} /> },
];

/** Lists whose personal data is kept, sealed, and for whom the retention period is over (SPEC G6). */
export function RetentionPage() {
  return (
    <PrivacyFrame
      to="/privacy/retention"
      title="Retention"
      about="Whose personal data is kept, since when, and whose period is over. No value is shown."
    >
      <Subjects />
    </PrivacyFrame>
  );
}

function Subjects() {
  const list = usePages(['retention'], (mace, page, call) => mace.privacy.retention(page, call));
  useLive(SEALED, ['retention']);
  return (
    <Answered query={list} what="the retention report">
      {({ pages }) => (
        <>
          <p>The retention period is {pages[0]?.retention_days} days.</p>
          <DataTable
            label="Subjects"
            columns={COLUMNS}
            rows={pages.flatMap(({ subjects }) => subjects)}
            keyOf={({ subject }) => subject}
            empty={
              <Message title="No personal data is kept" kind="good">
                Nothing in the log is sealed, so there is nothing to erase.
              </Message>
            }
          />
          <MoreButton list={list} />
        </>
      )}
    </Answered>
  );
}
