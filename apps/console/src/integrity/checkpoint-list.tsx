import { useMutation } from '@tanstack/react-query';
import type { LogCheckpoint } from '#client/index.js';
import { type PagedList, useChange } from '../data/queries';
import { useMace } from '../session/session-provider';
import { Badge } from '../ui/badge';
import { Button } from '../ui/button';
import { type Column, DataTable } from '../ui/data-table';
import { downloadLines } from '../ui/download';
import { ErrorNotice } from '../ui/error-notice';
import { Age } from '../ui/instant';
import { Message } from '../ui/message';
import { MoreButton } from '../ui/more-button';
import { Row } from '../ui/stack';
import { VisibleText } from '../ui/visible-text';
import { comparedInWords } from './comparison';
import { placeName } from './place-name';
import { counted } from './report';

type Place = LogCheckpoint['places'][number];

const PROBLEMS: Readonly<Record<NonNullable<Place['problem']>, string>> = {
  unreachable: 'cannot be reached',
  refused: 'refuses the file',
  other_file: 'has another file of this name',
  no_room: 'has no room',
};

const PlaceState = ({ place, kept_at, locked_until, problem }: Place) => (
  <li>
    <VisibleText text={placeName(place)} />{' '}
    {kept_at !== null ? (
      <Badge kind="good">kept</Badge>
    ) : (
      <Badge kind="bad">{problem === null ? 'not asked yet' : PROBLEMS[problem]}</Badge>
    )}
    {locked_until !== null && ` locked until ${locked_until.slice(0, 10)}`}
  </li>
);

const COLUMNS: readonly Column<LogCheckpoint>[] = [
  { name: 'Made', cell: ({ created_at }) => <Age at={created_at} /> },
  {
    name: 'By',
    cell: ({ made_by }) => (made_by === 'system' ? 'the schedule' : <VisibleText text={made_by} />),
  },
  {
    name: 'Log',
    cell: ({ found }) =>
      found === 0 ? (
        <Badge kind="good">intact</Badge>
      ) : (
        <Badge kind="bad">{counted(found, 'finding')}</Badge>
      ),
  },
  { name: 'Position', cell: ({ position }) => position, isNumber: true },
  { name: 'Streams', cell: ({ streams }) => streams.toLocaleString('en'), isNumber: true },
  {
    name: 'Places',
    cell: ({ places }) => (
      <ul>
        {places.map((place) => (
          <PlaceState key={place.place} {...place} />
        ))}
      </ul>
    ),
  },
  { name: 'SHA-256', cell: ({ sha256 }) => <code title={sha256}>{sha256.slice(0, 12)}…</code> },
  { name: 'File', cell: (checkpoint) => <Actions checkpoint={checkpoint} /> },
];

interface CheckpointListProps {
  readonly checkpoints: readonly LogCheckpoint[];
  readonly list: PagedList;
}

/** The checkpoints that were made, the newest first, each with its age. */
export const CheckpointList = ({ checkpoints, list }: CheckpointListProps) => (
  <>
    <DataTable
      label="Checkpoints"
      columns={COLUMNS}
      rows={checkpoints}
      keyOf={({ checkpoint_id }) => checkpoint_id}
      empty={
        <Message title="No checkpoint was made yet" kind="warning">
          Make one. Until then nothing shows whether somebody has written the whole log anew.
        </Message>
      }
    />
    <MoreButton list={list} words="Show older checkpoints" />
  </>
);

/** Saves the file of a checkpoint, or compares the log with it. */
function Actions({ checkpoint }: { readonly checkpoint: LogCheckpoint }) {
  const { checkpoint_id: id, created_at } = checkpoint;
  const mace = useMace();
  const save = useMutation({
    mutationFn: () =>
      downloadLines(
        `${created_at.replaceAll(':', '-')}-${id}.checkpoint`,
        mace.integrity.checkpointFile(id),
      ),
  });
  const compare = useChange((client) => client.integrity.compare(id), {
    done: comparedInWords,
    changes: ['comparisons'],
  });
  const error = save.error ?? compare.error;
  return (
    <>
      <Row>
        <Button kind="quiet" disabled={save.isPending} onClick={() => save.mutate()}>
          Download
        </Button>
        <Button kind="quiet" disabled={compare.isPending} onClick={() => compare.mutate()}>
          {compare.isPending ? 'Comparing …' : 'Compare'}
        </Button>
      </Row>
      {error !== null && <ErrorNotice error={error} />}
    </>
  );
}
