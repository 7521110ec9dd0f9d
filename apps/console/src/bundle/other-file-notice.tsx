import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { OtherFile } from '#domain/replay/other-files.js';
import { Message } from '../ui/message';
import { NameInFile } from './name-in-file';

interface OtherFileNoticeProps {
  readonly of: OtherFile;
  readonly name: string;
}

type Notice = readonly [title: string, body: ReactNode];

/** Says what a file of another kind is, which this page does not check, and how it is used. */
export function OtherFileNotice({ of, name }: OtherFileNoticeProps) {
  const notices: Readonly<Record<OtherFile, Notice>> = {
    checkpoint: [
      'The file is a checkpoint of the log',
      <>
        It is compared with the log itself, under{' '}
        <Link to="/integrity/checkpoints">Checkpoints</Link> or by{' '}
        <code>
          npx mace verify --log --since <NameInFile text={name} />
        </code>
      </>,
    ],
    keys: ['The file has keys', 'Signatures are checked with it: choose it under Trusted keys.'],
    private_keys: [
      'The file has private keys',
      'Give it to nobody. Signatures are checked with the public keys of a service.',
    ],
    backup: [
      'The file is the list of a backup’s files',
      <>
        <code>npx mace restore</code> checks them before it writes one.
      </>,
    ],
    event: [
      'The file names an event of the log',
      'It says what the event records, and has no signature. The signed bundle of the event’s stream proves it.',
    ],
    replay_report: [
      'The file has the report of a replay',
      <>
        Nobody has signed it. It is put beside another one under{' '}
        <Link to="/jobs/compare">Compare two jobs</Link>.
      </>,
    ],
    runs: [
      'The file has recorded runs',
      <>
        Nobody has signed them.{' '}
        <code>
          npx mace import <NameInFile text={name} />
        </code>{' '}
        brings them in.
      </>,
    ],
  };
  const [title, body] = notices[of];
  return (
    <Message title={`○ ${title}`}>
      <p>{body}</p>
    </Message>
  );
}
