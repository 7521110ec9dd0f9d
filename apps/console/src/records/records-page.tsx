import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { usePages } from '../data/queries';
import { given } from '../data/search-params';
import { useMoment } from '../moment/use-moment';
import { NotFound } from '../shell/not-found';
import { type Column, PagedTable } from '../ui/data-table';
import { Instant } from '../ui/instant';
import { Message } from '../ui/message';
import { VisibleText } from '../ui/visible-text';
import { RECORD_KINDS, type RecordKind, type Row } from './record-kinds';
import { OwnerForm, RecordsFrame } from './records-frame';

/** The characters of a text that a row shows. */
const SHOWN = 160;

const columnsOf = (kind: RecordKind, owner: string | undefined): readonly Column<Row>[] => [
  {
    name: 'Name',
    cell: ({ id, title }) => (
      <Link to="/memory/$kind/$id" params={{ kind: kind.path, id }} search={given({ owner })}>
        <VisibleText text={title} />
      </Link>
    ),
  },
  {
    name: 'Text',
    cell: ({ text }) => (
      <VisibleText text={text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text} />
    ),
  },
  { name: 'Time', cell: ({ at }) => (at === undefined ? '–' : <Instant at={at} />) },
];

/** The records of one kind that the reader may see. */
export function RecordsPage() {
  const { kind: path = 'memories' } = useParams({ strict: false });
  const { owner } = useSearch({ strict: false });
  const navigate = useNavigate();
  const kind = RECORD_KINDS.find((each) => each.path === path);
  if (kind === undefined) return <NotFound />;
  const show = (named: string, id: string): void => {
    const search = given({ owner: named === '' ? undefined : named });
    if (id === '') void navigate({ to: '.', search });
    else void navigate({ to: '/memory/$kind/$id', params: { kind: kind.path, id }, search });
  };
  return (
    <RecordsFrame kind={kind} title={kind.name} about={kind.about}>
      <OwnerForm key={`${path} ${owner}`} kind={kind} owner={owner ?? ''} show={show} />
      {kind.list !== undefined && <List kind={kind} list={kind.list} owner={owner} />}
    </RecordsFrame>
  );
}

interface ListProps {
  readonly kind: RecordKind;
  readonly list: NonNullable<RecordKind['list']>;
  readonly owner: string | undefined;
}

function List({ kind, list, owner }: ListProps) {
  const moment = useMoment();
  const records = usePages(['records', kind.path, owner, moment], (mace, page, call) =>
    list(mace, { ...given({ owner }), ...moment, ...page }, call),
  );
  return (
    <PagedTable
      list={records}
      what={`the ${kind.name}`}
      label={`Table of ${kind.name}`}
      columns={columnsOf(kind, owner)}
      rowsIn={(page) => page.rows}
      keyOf={({ id }) => id}
      empty={
        !records.hasNextPage && (
          <Message title="There is nothing that you may read">
            {kind.owner !== undefined && owner === undefined && (
              <p>These are your own. Auditors, admins and the council name another owner above.</p>
            )}
          </Message>
        )
      }
    />
  );
}
