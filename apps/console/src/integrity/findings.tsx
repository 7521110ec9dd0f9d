import { Link } from '@tanstack/react-router';
import type { IntegrityFinding, IntegrityReport } from '#client/index.js';
import { type Column, DataTable } from '../ui/data-table';
import { VisibleText } from '../ui/visible-text';
import { PROBLEMS } from './problems';
import { counted } from './report';

const COLUMNS: readonly Column<IntegrityFinding>[] = [
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

/** What the last verification has found, each with its stream and event. */
export const Findings = ({ report: { findings, found } }: { readonly report: IntegrityReport }) => (
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
