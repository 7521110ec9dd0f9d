import type { MomentProblem, SignedMoment } from '#domain/replay/moment-file.js';
import { type Column, DataTable } from '../ui/data-table';
import { Message } from '../ui/message';
import { Facts } from '../ui/section';
import { lineOf } from '../ui/value-text';
import { NameInFile, TimeInFile } from './name-in-file';
import type { MomentStream, OpenedMoment } from './opened-moment';
import type { SignatureFinding } from './signature';
import { SignatureNotice } from './signature-notice';

const WORDS: Readonly<Record<MomentProblem, string>> = {
  not_a_moment: 'The first line is not as it was written, byte for byte.',
  later_version: 'The file is of a later version than this page knows. Open it in a newer console.',
  wrong_signature: 'The first line was changed after it was signed.',
  other_key: 'The signature is by a key that you do not trust.',
  wrong_streams:
    'The file has other streams than its first line says: one was added, cut off or replaced.',
  broken_stream: 'was changed.',
};

interface MomentViewProps extends OpenedMoment {
  readonly signature: SignatureFinding | undefined;
}

/** What the log held at a time, and what the check of its file has found. Nothing of it is shown if it is broken. */
export function MomentView({ report, streams, signature }: MomentViewProps) {
  const { statement, bundles, problem } = report;
  if (problem === 'later_version')
    return (
      <Message kind="warning" title="○ The file was not checked">
        {WORDS[problem]}
      </Message>
    );
  if (statement === undefined || problem !== undefined)
    return (
      <Message kind="bad" title="✗ The file is broken">
        {problem === 'broken_stream' && (
          <code>
            <NameInFile text={bundles.at(-1)?.header?.stream ?? 'A stream'} />
          </code>
        )}{' '}
        {WORDS[problem ?? 'not_a_moment']}
      </Message>
    );
  return (
    <>
      <SignatureNotice signature={signature} of="file" />
      {signature !== undefined && signature.kind !== 'invalid' && (
        <Content statement={statement} streams={streams} />
      )}
    </>
  );
}

interface ContentProps {
  readonly statement: SignedMoment;
  readonly streams: readonly MomentStream[];
}

function Content({ statement, streams }: ContentProps) {
  const { at, position, hash, final, created_at, left_out } = statement;
  return (
    <>
      <Facts
        of={{
          'The log at': <TimeInFile at={at} />,
          Position: <NameInFile text={position} />,
          Hash: <NameInFile text={hash} />,
          Written: <TimeInFile at={created_at} />,
          'Not final': final ? undefined : 'nothing had been recorded later yet',
          'Left out':
            left_out === 0 ? undefined : `${left_out} streams, hidden from whoever wrote the file`,
        }}
      />
      <DataTable
        label="The streams of the file"
        columns={COLUMNS}
        rows={streams}
        keyOf={({ stream }) => stream}
        empty={<p>The file has no stream.</p>}
      />
    </>
  );
}

const COLUMNS: readonly Column<MomentStream>[] = [
  { name: 'Stream', cell: ({ stream }) => <NameInFile text={stream} /> },
  { name: 'Value then', cell: ({ fact }) => fact && valueOf(fact) },
  { name: 'Events', cell: ({ events }) => events, isNumber: true },
];

function valueOf(fact: NonNullable<MomentStream['fact']>) {
  if (fact === 'sealed') return '(personal data)';
  return fact === 'deleted' ? '(no value)' : <NameInFile text={lineOf(fact.value)} />;
}
