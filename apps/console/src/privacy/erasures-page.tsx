import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useLive } from '../live/live';
import { useMace } from '../session/session-provider';
import { Answered } from '../ui/answered';
import { type Column, DataTable } from '../ui/data-table';
import { Instant, inWords } from '../ui/instant';
import { Message } from '../ui/message';
import { MoreButton } from '../ui/more-button';
import { VisibleText } from '../ui/visible-text';
import { type Erasure, erasureOf, StatusBadge } from './erasure';
import { ErasureAction } from './erasure-action';
import { ErasureReceiptDialog } from './erasure-receipt-dialog';
import { ExecuteErasureDialog } from './execute-erasure-dialog';
import { PrivacyFrame } from './privacy-frame';
import { REASONS, type Reason, RequestErasureForm } from './request-erasure-form';

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
  const mace = useMace();
  const [opened, setOpened] = useState<Opened>();
  useLive(['request'], ['erasures']);
  const list = useInfiniteQuery({
    queryKey: ['erasures'],
    queryFn: ({ signal, pageParam }) =>
      mace.actionRequests.list(
        { kind: 'erasure', ...(pageParam === '' ? {} : { cursor: pageParam }) },
        { signal },
      ),
    initialPageParam: '',
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
  });
  return (
    <PrivacyFrame
      to="/privacy/erasures"
      title="Erasures"
      about="An erasure destroys the keys of a subject, so that nobody can open what they sealed. It is asked for, the council decides, and an admin executes it."
    >
      <Answered query={list} what="the erasures">
        {({ pages }) => (
          <DataTable
            label="Erasures"
            columns={[...COLUMNS, nextStep(setOpened)]}
            rows={pages.flatMap((page) => page.action_requests.map(erasureOf))}
            keyOf={({ id }) => id}
            empty={
              <Message title="No erasure was asked for">
                Ask for one below. The council then finds it among its requests.
              </Message>
            }
          />
        )}
      </Answered>
      <MoreButton list={list} />
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
