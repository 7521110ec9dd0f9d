import type { IntegrityFinding, IntegrityReport } from '#client/index.js';
import { type Column, DataTable } from '../ui/data-table';
import { VisibleText } from '../ui/visible-text';
import { PROBLEMS } from './problems';
import { counted } from './report';

const COLUMNS: readonly Column<IntegrityFinding>[] = [
  { name: 'Stream', cell: ({ stream }) => <VisibleText text={stream} /> },
  { name: 'Event', cell: ({ number }) => number, isNumber: true },
  { name: 'Problem', cell: ({ problem }) => PROBLEMS[problem] },
];

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
