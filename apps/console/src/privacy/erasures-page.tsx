import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { dossierOptions } from '../action-requests/requests-data';
import { usePages } from '../data/queries';
import { useLive } from '../live/live';
import { hasRole } from '../session/session';
import { useMace, useSession } from '../session/session-provider';
import { Answered } from '../ui/answered';
import { Button } from '../ui/button';
import { type Column, PagedTable } from '../ui/data-table';
import { Instant, inWords } from '../ui/instant';
import { Message } from '../ui/message';
import { VisibleText } from '../ui/visible-text';
import { type Erasure, erasureOf, StatusBadge } from './erasure';
import { ErasureObstacles } from './erasure-obstacles';
import { ErasureReceiptDialog } from './erasure-receipt-dialog';
import { ExecuteErasureDialog } from './execute-erasure-dialog';
import { PrivacyFrame } from './privacy-frame';
import { REASONS, type Reason, RequestErasureForm } from './request-erasure-form';
import { Link } from '@tanstack/react-router';

const COLUMNS: readonly Column<Erasure>[] = [
  { name: 'Subject', cell: ({ subject }) => <VisibleText text={subject} /> },
  { name: 'State', cell: ({ status }) => <StatusBadge status={status} /> },
  { name: 'Reason', cell: ({ reason, words }) => <Reason code={reason} words={words} /> },
  { name: 'Asked by', cell: ({ proposer }) => <VisibleText text={proposer} /> },
  { name: 'Asked', cell: ({ requestedAt }) => <Instant at={requestedAt} /> },
  {
    name: 'Decided',
    cell: ({ decidedAt, expiresAt }) =>
      decidedAt === null ? `expires ${inWords(expiresAt)}` : <Instant at={decidedAt} />,
  },
];

const Reason = ({ code, words }: { readonly code: string; readonly words: string }) => (
  <>
    {REASONS[code as Reason] ?? code}: <VisibleText text={words} />
  </>
);

/** The dialog that is open. It belongs to the page, because a row changes when its erasure is executed. */
interface Opened {
  readonly dialog: 'execute' | 'receipt';
  readonly erasure: Erasure;
}

/** Shows requested erasures from the request to the signed receipt (SPEC G6). */
export function ErasuresPage() {
  const [opened, setOpened] = useState<Opened>();
  useLive(['request'], ['erasures']);
  useLive(['request'], ['requests', 'dossier']);
  const list = usePages(['erasures'], (mace, page, call) =>
    mace.actionRequests.list({ kind: 'erasure', ...page }, call),
  );
  return (
    <PrivacyFrame
      to="/privacy/erasures"
      title="Erasures"
      about="An erasure destroys the keys of a subject, so that nobody can open what they sealed. It is asked for, the council decides, and an admin executes it."
    >
      <PagedTable
        list={list}
        what="the erasures"
        label="Erasures"
        columns={[...COLUMNS, nextStep(setOpened)]}
        rowsIn={({ action_requests }) => action_requests.map(erasureOf)}
        keyOf={({ id }) => id}
        empty={
          <Message title="No erasure was asked for">
            Ask for one below. The council then finds it among its requests.
          </Message>
        }
      />
      <RequestErasureForm />
      {opened !== undefined && (
        <OpenedDialog opened={opened} onClose={() => setOpened(undefined)} />
      )}
    </PrivacyFrame>
  );
}

const nextStep = (open: (opened: Opened) => void): Column<Erasure> => ({
  name: 'Next step',
  cell: (erasure) => (
    <ErasureAction
      erasure={erasure}
      onExecute={() => open({ dialog: 'execute', erasure })}
      onReceipt={() => open({ dialog: 'receipt', erasure })}
    />
  ),
});

interface OpenedDialogProps {
  readonly opened: Opened;
  readonly onClose: () => void;
}

const OpenedDialog = ({ opened: { dialog, erasure }, onClose }: OpenedDialogProps) =>
  dialog === 'execute' ? (
    <ExecuteErasureDialog erasure={erasure} onClose={onClose} />
  ) : (
    <ErasureReceiptDialog id={erasure.id} onClose={onClose} />
  );

interface ErasureActionProps {
  readonly erasure: Erasure;
  readonly onExecute: () => void;
  readonly onReceipt: () => void;
}

/** What comes next for an erasure, as far as the person may do it. */
function ErasureAction({ erasure, onExecute, onReceipt }: ErasureActionProps) {
  const session = useSession();
  switch (erasure.status) {
    case 'pending':
      return hasRole(session, 'council', 'admin') ? (
        <Link to="/requests/$id" params={{ id: erasure.id }}>
          {erasure.isVotedOn ? 'Look at it' : 'Decide it'}
        </Link>
      ) : (
        'The council decides'
      );
    case 'approved':
      return hasRole(session, 'admin') ? (
        <ExecutionStep erasure={erasure} onExecute={onExecute} />
      ) : (
        'An admin executes it'
      );
    case 'executed':
      return (
        <Button aria-label={`Show the receipt of ${erasure.subject}`} onClick={onReceipt}>
          Receipt
        </Button>
      );
    default:
      return 'none';
  }
}

/** An admin gets the button only for an erasure that the admin can execute now; else the page says why not. */
function ExecutionStep({ erasure, onExecute }: Omit<ErasureActionProps, 'onReceipt'>) {
  const dossier = useQuery(dossierOptions(useMace(), erasure.id));
  return (
    <Answered query={dossier} what="who can execute it">
      {({ erasure: reviewed }) =>
        reviewed === null || reviewed.obstacles.length > 0 ? (
          <>
            {reviewed !== null && <ErasureObstacles of={reviewed} />}
            <Link to="/requests/$id" params={{ id: erasure.id }}>
              Look at it
            </Link>
          </>
        ) : (
          <Button
            kind="danger"
            aria-label={`Execute the erasure of ${erasure.subject}`}
            onClick={onExecute}
          >
            Execute
          </Button>
        )
      }
    </Answered>
  );
}
