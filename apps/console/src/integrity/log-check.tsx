import { Link } from '@tanstack/react-router';
import type { LogVerification } from '#client/index.js';
import { useChange } from '../data/queries';
import { Badge } from '../ui/badge';
import { Button } from '../ui/button';
import { type Column, DataTable } from '../ui/data-table';
import { ErrorNotice } from '../ui/error-notice';
import { Message } from '../ui/message';
import { Section } from '../ui/stack';
import { VisibleText } from '../ui/visible-text';
import { counted } from './report';

type Finding = LogVerification['findings'][number];

const FAULTS: Readonly<Record<Finding['fault'], string>> = {
  tampered: 'The row differs from the log',
  missing: 'The row is gone',
  forged: 'No event made the row',
  unverifiable: 'The signing key is not known here',
  broken: 'The event does not fit its hash chain',
};

const COLUMNS: readonly Column<Finding>[] = [
  { name: 'ReflectiveLog', cell: ({ log_id }) => <VisibleText text={log_id} /> },
  { name: 'Fault', cell: ({ fault }) => FAULTS[fault] },
  {
    name: 'Restored',
    cell: ({ healed }) =>
      healed ? <Badge kind="good">restored</Badge> : <Badge kind="bad">not restored</Badge>,
  },
  { name: 'Both versions', cell: (finding) => <QuarantineLink finding={finding} /> },
];

const QuarantineLink = ({ finding: { quarantine_id } }: { readonly finding: Finding }) =>
  quarantine_id === null ? (
    'none'
  ) : (
    <Link to="/integrity/quarantine" search={{ entry: quarantine_id }}>
      In quarantine
    </Link>
  );

const inWords = ({ checked, findings }: LogVerification): string =>
  findings.length === 0
    ? `${counted(checked, 'ReflectiveLog')} are intact.`
    : `${counted(findings.length, 'finding')} in ${counted(checked, 'ReflectiveLog')}.`;

/** Compares each ReflectiveLog with its signature and its event, and restores what differs (SPEC L5). */
export function LogCheck() {
  const check = useChange((mace) => mace.reflectiveLogs.verify(), {
    ...{ done: inWords, changes: ['quarantine'] },
  });
  return (
    <Section title="ReflectiveLogs">
      <p>
        Compares each row with its signature and its event. A row that differs goes to quarantine
        with both versions, and is restored from the log.
      </p>
      <div>
        <Button disabled={check.isPending} onClick={() => check.mutate()}>
          {check.isPending ? 'Checking …' : 'Check the ReflectiveLogs'}
        </Button>
      </div>
      {check.isError && <ErrorNotice error={check.error} retry={() => check.mutate()} />}
      {check.data !== undefined && (
        <>
          <Message
            title={inWords(check.data)}
            kind={check.data.findings.length === 0 ? 'good' : 'bad'}
          />
          <DataTable
            label="Findings in ReflectiveLogs"
            columns={COLUMNS}
            rows={check.data.findings}
            keyOf={({ log_id, fault }) => `${log_id} ${fault}`}
            empty={null}
          />
        </>
      )}
    </Section>
  );
}
