import { MAX_CHARACTERS } from '#domain/free-text.js';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ActionRequest, Dossier } from '#client/index.js';
import { hasRole, type Session } from '../session/session';
import { useMace, useSession } from '../session/session-provider';
import { useAnnounce } from '../ui/announcer';
import { Badge } from '../ui/badge';
import { Button } from '../ui/button';
import { Dialog } from '../ui/dialog';
import { ErrorNotice } from '../ui/error-notice';
import { TextArea } from '../ui/field';
import { submitting } from '../ui/form';
import { Instant } from '../ui/instant';
import { Row, Stack } from '../ui/stack';
import { VisibleText } from '../ui/visible-text';
import { dossierOptions } from './requests-data';
import styles from './requests.module.css';
import { concerns, isSelf } from './reviewer';

type FlaggedSpan = Dossier['flagged_spans'][number];

interface FlaggedSpansProps {
  readonly request: ActionRequest;
  readonly dossier: Dossier;
}

/** Lists what the rules found in the proposed value, and lets a council member say that it is not personal data. */
export function FlaggedSpans({ request, dossier }: FlaggedSpansProps) {
  const session = useSession();
  const [chosen, choose] = useState<{ readonly number: number; readonly of: string }>();
  const { flagged_spans: spans } = dossier;
  // The dossier may be of an earlier value than the request, or of a later one.
  if (spans.length === 0 || dossier.request.proposal_hash !== request.proposal_hash) return null;
  // A finding of another value has the same number, but nobody has looked at it.
  const isOfThisValue = chosen?.of === request.proposal_hash;
  const chosenSpan = chosen !== undefined && isOfThisValue ? spans[chosen.number] : undefined;
  return (
    <section className={styles.section}>
      <h2>What the rules found in the value</h2>
      <p>
        {spans[0]?.may_be_cleared === true
          ? 'If two council members say of each entry that it is not personal data, the approval writes a fact that its readers see.'
          : 'Nobody can clear these: they are about a user, or of category high.'}
      </p>
      <ul className={styles.entries}>
        {spans.map((span, number) => (
          <li key={number}>
            <p className={styles.state}>
              <Badge>{span.type}</Badge>
              <span>{whereWords(span)}</span>
              {mayClear(session, request, span) && (
                <Button
                  onClick={() => choose({ number, of: request.proposal_hash })}
                  aria-label={`Not personal data: ${nameOf(span)}`}
                >
                  Not personal data
                </Button>
              )}
            </p>
            <Clearances span={span} />
          </li>
        ))}
      </ul>
      {chosen !== undefined && chosenSpan !== undefined && (
        <ClearDialog
          request={request}
          number={chosen.number}
          span={chosenSpan}
          onClose={() => choose(undefined)}
        />
      )}
    </section>
  );
}

const nameOf = (span: FlaggedSpan): string => `${span.type}, ${whereWords(span)}`;

function whereWords({ path, in_key, span: [start = 0, end = 0] }: FlaggedSpan): string {
  const place = path.length === 0 ? 'the value' : path.join('.');
  return `characters ${start + 1} to ${end} of ${in_key ? `the key number ${place}` : place}`;
}

const Clearances = ({ span }: { readonly span: FlaggedSpan }) =>
  span.cleared_by.map(({ by, reason, at }) => (
    <p key={by.sub}>
      <VisibleText text={by.sub} /> says that it is not personal data, <Instant at={at} />:{' '}
      <VisibleText text={reason} />
    </p>
  ));

/** True if this person may clear the finding, as far as the page knows; the service decides (SPEC W8). */
function mayClear(session: Session, request: ActionRequest, span: FlaggedSpan): boolean {
  return (
    request.status === 'pending' &&
    span.may_be_cleared &&
    hasRole(session, 'council') &&
    !concerns(request, session) &&
    !isSelf(request.revised?.editor, session) &&
    !span.cleared_by.some(({ by }) => isSelf(by, session))
  );
}

interface ClearDialogProps {
  readonly request: ActionRequest;
  readonly number: number;
  readonly span: FlaggedSpan;
  readonly onClose: () => void;
}

function ClearDialog({ request, number, span, onClose }: ClearDialogProps) {
  const { request_id, proposal_hash } = request;
  const mace = useMace();
  const queries = useQueryClient();
  const announce = useAnnounce();
  const [reason, setReason] = useState('');
  const [problem, setProblem] = useState<string>();
  const clearance = useMutation({
    mutationFn: () =>
      mace.actionRequests.clear(request_id, {
        ...{ proposal_hash, finding: number, reason: reason.trim() },
      }),
    onSuccess: async () => {
      announce('Recorded that it is not personal data.');
      onClose();
      await queries.invalidateQueries({ queryKey: dossierOptions(mace, request_id).queryKey });
    },
  });
  const submit = submitting(() => {
    if (reason.trim() === '') return setProblem('Say why it is not personal data.');
    if (!clearance.isPending) clearance.mutate();
  });
  return (
    <Dialog
      title="Not personal data?"
      about={`The rules take this for ${nameOf(span)}. Read the value unredacted before you decide. The log records your word and your reason for good.`}
      onClose={onClose}
    >
      <form onSubmit={submit} noValidate>
        <Stack>
          <TextArea
            label="Why it is not personal data"
            hint="Do not repeat it: what the rules find in your reason is removed."
            problem={problem}
            rows={3}
            required
            maxLength={MAX_CHARACTERS}
            value={reason}
            onChange={setReason}
          />
          {clearance.error !== null && <ErrorNotice error={clearance.error} />}
          <Row>
            <Button kind="primary" type="submit" aria-disabled={clearance.isPending}>
              Record it
            </Button>
            <Button onClick={onClose}>Leave it flagged</Button>
          </Row>
        </Stack>
      </form>
    </Dialog>
  );
}
