import type { UseQueryResult } from '@tanstack/react-query';
import { useState } from 'react';
import type { ActionRequest, Dossier } from '#client/index.js';
import { hasRole } from '../session/session';
import { useSession } from '../session/session-provider';
import { Answered } from '../ui/answered';
import { Button } from '../ui/button';
import { type Column, DataTable } from '../ui/data-table';
import { Instant } from '../ui/instant';
import { LongText } from '../ui/long-text';
import { Message } from '../ui/message';
import { Section, Stack } from '../ui/stack';
import { VisibleText } from '../ui/visible-text';
import { ErasureObstacles, type ErasureReviewed } from './erasure-obstacles';
import { ErasureReceiptDialog } from './erasure-receipt-dialog';
import { ExecuteErasureDialog } from './execute-erasure-dialog';
import { REASONS } from './request-erasure-form';
import { SEALED_KINDS } from './sealed-kinds';

interface ErasureReviewProps {
  readonly request: ActionRequest;
  readonly dossier: UseQueryResult<Dossier>;
}

/** What an erasure would do, in place of its value: whose data, how much of it, what stays, and who executes it (SPEC G6). */
export const ErasureReview = ({ request, dossier }: ErasureReviewProps) => (
  <Section title="What this erases">
    <Answered query={dossier} what="what it erases">
      {({ erasure }) => erasure !== null && <Reviewed request={request} erasure={erasure} />}
    </Answered>
  </Section>
);

interface ReviewedProps {
  readonly request: ActionRequest;
  readonly erasure: ErasureReviewed;
}

const Reviewed = ({ request, erasure }: ReviewedProps) => (
  <Stack>
    <p>
      <VisibleText text={request.proposer.sub} /> asks {groundsOf(erasure)},{' '}
      <Instant at={request.requested_at} />: “
      <LongText text={request.justification} />”
    </p>
    <p>
      <strong>{destroyedWords(erasure)}</strong>: data of{' '}
      {erasure.is_own ? 'the proposer' : 'another than the proposer'},{' '}
      <code>
        <VisibleText text={erasure.subject} />
      </code>
    </p>
    <Destroyed erasure={erasure} />
    <Execution request={request} erasure={erasure} />
    <Stays />
  </Stack>
);

/** On what grounds an erasure is asked for. */
const groundsOf = ({ reason_code, is_own }: ErasureReviewed): string =>
  reason_code === 'legal_erasure' && is_own
    ? 'by right of erasure'
    : `for this reason: ${REASONS[reason_code]}`;

type Kind = ErasureReviewed['destroys'][number];

const counted = (count: number): string => count.toLocaleString('en');

const COLUMNS: readonly Column<Kind>[] = [
  { name: 'In', cell: ({ kind }) => SEALED_KINDS[kind] ?? kind },
  { name: 'Values', cell: ({ values }) => counted(values), isNumber: true },
  { name: 'Since', cell: ({ first_recorded_at: at }) => <Instant at={at} /> },
];

const Destroyed = ({ erasure: { destroys } }: Pick<ReviewedProps, 'erasure'>) => (
  <DataTable
    label="Destroyed values"
    columns={COLUMNS}
    rows={destroys}
    keyOf={({ kind }) => kind}
    empty={<p>No value of this subject is sealed under a key that still exists.</p>}
  />
);

/** Says how many values an erasure destroys, or has destroyed. */
function destroyedWords({ destroys, obstacles }: ErasureReviewed): string {
  const total = destroys.reduce((sum, { values }) => sum + values, 0);
  const values = `${counted(total)} ${total === 1 ? 'value' : 'values'}`;
  return obstacles.includes('executed') ? `${values} destroyed` : `${values} would be destroyed`;
}

const Stays = () => (
  <details>
    <summary>What stays</summary>
    <ul>
      <li>
        Every event of the log, with its hashes and without these words, so that it still verifies.
      </li>
      <li>What others wrote, and what stands under the keys of others.</li>
      <li>What was never sealed, because the privacy gate found no personal data in it.</li>
      <li>What is written after the order: it gets a new key.</li>
    </ul>
  </details>
);

/** Who executes it and when; the button only for a person whose execution would succeed. */
function Execution({ request, erasure }: ReviewedProps) {
  const [opened, open] = useState<'execute' | 'receipt'>();
  const session = useSession();
  const { request_id: id } = request;
  const { subject, obstacles } = erasure;
  const isDone = obstacles.includes('executed');
  const isTorn = obstacles.includes('undecided') && hasRole(session, 'admin');
  const close = (): void => open(undefined);
  return (
    <>
      <Message
        title="It takes two people: the council, and an admin who did not vote. It cannot be undone"
        kind={isDone ? 'plain' : 'warning'}
      >
        <ErasureObstacles of={erasure} />
        {!isDone && <p>Whoever executes it reads the reasons of the reviewers.</p>}
        {isTorn && !obstacles.includes('voted') && (
          <p>If you vote on it, another admin has to execute it.</p>
        )}
        {obstacles.length === 0 && (
          <Button kind="danger" onClick={() => open('execute')}>
            Execute the erasure …
          </Button>
        )}
        {isDone && <Button onClick={() => open('receipt')}>Show the receipt</Button>}
      </Message>
      {opened === 'execute' && <ExecuteErasureDialog erasure={{ id, subject }} onClose={close} />}
      {opened === 'receipt' && <ErasureReceiptDialog id={id} onClose={close} />}
    </>
  );
}
