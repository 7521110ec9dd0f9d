import type { WhyThing } from '#client/index.js';
import { usePages } from '../data/queries';
import { useMoment } from '../moment/use-moment';
import { ACCESS_COLUMNS } from '../privacy/access-columns';
import { PagedTable } from '../ui/data-table';
import { Message } from '../ui/message';
import { Section } from '../ui/section';
import { VisibleText } from '../ui/visible-text';

/** All reads are of one stream, so it needs no column. */
const COLUMNS = ['Who', 'When', 'Version', 'Reason', 'Trace id', 'Receipt'].map((column) =>
  ACCESS_COLUMNS.find(({ name }) => name === column)!,
);

type AccessesProps = WhyThing & {
  /** The stream that holds the thing; an unredacted read is one of a stream. */
  readonly stream: string;
};

/** The reads of personal data in the thing's stream, each with its receipt: the event that recorded it. */
export function Accesses({ kind, id, stream }: AccessesProps) {
  const moment = useMoment();
  const accesses = usePages(['why-accesses', kind, id, moment], (mace, page, call) =>
    mace.why.accesses({ kind, id, ...moment }, page, call),
  );
  return (
    <Section title="Unredacted reads">
      <PagedTable
        list={accesses}
        what="the unredacted reads"
        label="Table of unredacted reads"
        columns={COLUMNS}
        rowsIn={(page) => page.accesses}
        keyOf={({ event }) => event.position}
        empty={
          <Message title="Nobody has read its personal data unredacted">
            <p>
              The log would have an event for each such read of <VisibleText text={stream} />.
            </p>
          </Message>
        }
      />
    </Section>
  );
}
