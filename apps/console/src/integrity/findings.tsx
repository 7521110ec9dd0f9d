import { Link } from '@tanstack/react-router';
import type { LogComparison } from '#client/index.js';
import { type Column, DataTable } from '../ui/data-table';
import { VisibleText } from '../ui/visible-text';
import { counted } from './report';

type Finding = LogComparison['findings'][number];

const PROBLEMS: Readonly<Record<Finding['problem'], string>> = {
  missing: 'An event is missing before this one',
  repeated: 'The number of the event occurs twice',
  wrong_hash: 'The event does not fit the hash chain: its content or its place was changed',
  wrong_event_id: 'The id of the event is not the one that its place gives',
  wrong_appended_id: 'The id under which the event was appended is not its own',
  unknown_category: 'No rule of this release knows the stream',
  unknown_type: 'No rule of this release knows the type of the event',
  unreadable: 'The event cannot be read',
  diverged: 'A replay of the decisions gives another event',
  stream_missing: 'The log has no event of the stream any more',
  stream_cut: 'This event and later ones were there at the checkpoint, and cannot be read any more',
  stream_changed:
    'This is not the event at which the stream ended: it, or one before it, was changed',
  stream_inserted: 'The event stands before the checkpoint, which does not have it',
};

const COLUMNS: readonly Column<Finding>[] = [
  { name: 'Stream', cell: ({ stream }) => <StreamLink stream={stream} /> },
  { name: 'Event', cell: ({ number }) => number, isNumber: true },
  { name: 'Problem', cell: ({ problem }) => PROBLEMS[problem] },
];

const JOB = 'job-';

/** The name of a stream; that of a job leads to the job. */
const StreamLink = ({ stream }: { readonly stream: string }) =>
  stream.startsWith(JOB) ? (
    <Link to="/jobs/$seed" params={{ seed: stream.slice(JOB.length) }}>
      <VisibleText text={stream} />
    </Link>
  ) : (
    <VisibleText text={stream} />
  );

/** What a verification or a comparison has found, each with its stream and event. */
export const Findings = ({ findings, found }: Pick<LogComparison, 'findings' | 'found'>) => (
  <>
    <DataTable
      label="Findings"
      columns={COLUMNS}
      rows={findings}
      keyOf={({ stream, number, problem }) => `${stream} ${number} ${problem}`}
      empty={null}
    />
    {found > findings.length && (
      <p>
        The report lists {counted(findings.length, 'finding')} of {counted(found, 'finding')}.
      </p>
    )}
  </>
);
