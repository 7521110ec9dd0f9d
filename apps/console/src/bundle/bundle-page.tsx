import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { replaySearchOf } from '../jobs/replay/replay-search';
import { ReplayView } from '../jobs/replay/replay-view';
import { KeysHelp } from '../keys/keys-help';
import { storedSession } from '../session/session';
import { ErrorNotice } from '../ui/error-notice';
import { Field } from '../ui/field';
import { Loading } from '../ui/loading';
import { Message } from '../ui/message';
import { PageHeader } from '../ui/page-header';
import { useFileDrop } from '../ui/use-file-drop';
import styles from './bundle.module.css';
import { MomentView } from './moment-view';
import { NameInFile } from './name-in-file';
import { OtherFileNotice } from './other-file-notice';
import { ReceiptView } from './receipt-view';
import { keyIdsIn, type SignatureFinding } from './signature';
import { TrustedKeys } from './trusted-keys';
import { type OpenedFile, useOpenedFile } from './use-opened-file';
import { useServiceKeys } from './use-service-keys';
import { Verdict } from './verdict';

const route = getRouteApi('/bundle');
/** The most bytes of a file that may have keys; a larger one is opened without looking for them. */
const MAX_KEYS_BYTES = 65_536;

/** Opens an exported bundle, a moment's file or a receipt, and verifies it in the browser. The service learns nothing of it. */
export function BundlePage() {
  const [ownKeys, setOwnKeys] = useState('');
  const [keysFrom, setKeysFrom] = useState<string>();
  const ofService = useServiceKeys();
  const trusted = [...(ofService.data ?? []), ...keyIdsIn(ownKeys)];
  const { open, opened, signature } = useOpenedFile(trusted);
  const take = async (file: File): Promise<void> => {
    const text = file.size > MAX_KEYS_BYTES ? '' : await file.text();
    if (keyIdsIn(text).length === 0) return open.mutate(file);
    setOwnKeys(text);
    setKeysFrom(file.name);
  };
  return (
    <div className={styles.page} {...useFileDrop(take)}>
      <header className={styles.frame}>
        <span className={styles.brand}>
          <img src="/console/mark.svg" alt="" width={24} height={24} /> MACE Memory
        </span>
        <Link to="/">{storedSession() === undefined ? 'Sign in' : 'Back to the console'}</Link>
      </header>
      <main className={styles.main}>
        <PageHeader
          title="A bundle or a receipt"
          about="The file is verified in this browser. It is sent nowhere, and no service is asked."
        />
        <div className={styles.chooser}>
          <Field
            label="Bundle or receipt"
            hint="Choose a file, or drop it anywhere on this page. A dropped file of keys is trusted."
          >
            {(field) => (
              <input
                {...field}
                type="file"
                accept=".ndjson,.json"
                onChange={(event) => {
                  const file = event.target.files?.[0];
                  if (file !== undefined) void take(file);
                }}
              />
            )}
          </Field>
          <TrustedKeys ofService={ofService.data} text={ownKeys} change={setOwnKeys} />
        </div>
        <p role="status">
          {keysFrom !== undefined && (
            <>
              The keys of <NameInFile text={keysFrom} /> are trusted now.
            </>
          )}
        </p>
        {open.isIdle && (
          <Message title="○ No file is open">
            <p>
              A job’s page exports a bundle, and so does <code>npx mace export</code>. The page of a
              request has the receipts of its events.
            </p>
          </Message>
        )}
        {open.isPending && <Loading what="the file" />}
        {open.isError && <ErrorNotice error={open.error} />}
        {opened !== undefined && (
          <Content key={opened.record.id} opened={opened} signature={signature} />
        )}
      </main>
      <KeysHelp />
    </div>
  );
}

interface ContentProps {
  readonly opened: OpenedFile;
  readonly signature: SignatureFinding | undefined;
}

function Content({ opened, signature }: ContentProps) {
  if (opened.kind === 'bundle') return <Bundle opened={opened} signature={signature} />;
  return (
    <>
      <p>
        <strong>
          <NameInFile text={opened.name} />
        </strong>
      </p>
      {opened.kind === 'receipt' && <ReceiptView report={opened.report} signature={signature} />}
      {opened.kind === 'moment' && (
        <MomentView report={opened.report} streams={opened.streams} signature={signature} />
      )}
      {opened.kind === 'other' && <OtherFileNotice of={opened.other} name={opened.name} />}
    </>
  );
}

interface BundleProps extends ContentProps {
  readonly opened: Extract<OpenedFile, { readonly kind: 'bundle' }>;
}

function Bundle({ opened, signature }: BundleProps) {
  const { report, checkedAt, record, name, isJob } = opened;
  const search = route.useSearch({ select: replaySearchOf });
  const navigate = useNavigate();
  const verdict = { report, signature, checkedAt };
  const stream = report.header?.stream;
  return (
    <>
      <p>
        <strong>
          <NameInFile text={name} />
        </strong>
        {stream !== undefined && (
          <>
            {' '}
            · stream <NameInFile text={stream} /> · {report.ended ? 'ended' : 'not ended'}
          </>
        )}
      </p>
      {isJob && report.replay !== undefined ? (
        <ReplayView
          record={record}
          search={search}
          isLive={false}
          show={(next) =>
            void navigate({ to: '/bundle', search: next, replace: true, resetScroll: false })
          }
        >
          {({ move }) => <Verdict {...verdict} move={move} />}
        </ReplayView>
      ) : (
        <>
          <Verdict {...verdict} />
          {report.header !== undefined && !isJob && (
            <Message title="Only jobs have a timeline">
              The check above covers the whole file.
            </Message>
          )}
        </>
      )}
    </>
  );
}
