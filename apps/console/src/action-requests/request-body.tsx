import type { UseQueryResult } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { ActionRequest, Dossier } from '#client/index.js';
import { FactLink } from '../sem/fact-link';
import { ConsentReview } from '../privacy/consent-review';
import { ErasureReview } from '../privacy/erasure-review';
import { UnredactedRead } from '../privacy/unredacted-read';
import { useMace } from '../session/session-provider';
import { Badge } from '../ui/badge';
import { ErrorNotice } from '../ui/error-notice';
import { Loading } from '../ui/loading';
import { LongText } from '../ui/long-text';
import { VisibleText } from '../ui/visible-text';
import { WhyLink } from '../why/why-link';
import { Discussion } from './discussion';
import { EarlierWords } from './earlier-words';
import { Evidence } from './evidence';
import { FlaggedSpans } from './flagged-spans';
import { PersonRequests } from './person-requests';
import { STATUSES } from './queue-search';
import { Proposer, ProposedValue } from './proposed-value';
import styles from './review.module.css';
import { Sources } from './sources';
import { factsBehind } from './standing-facts';
import { Rivals, SimilarFacts } from './surrounding-facts';
import { attributeOf } from './target';
import type { Reading } from './use-reading';
import { soughtParts } from './value-places';
import { Link } from '@tanstack/react-router';
import { deadlineWords, nameOf, STATUS_WORDS } from './words';

interface RequestBodyProps {
  readonly request: ActionRequest;
  readonly dossier: UseQueryResult<Dossier>;
  readonly reading: Reading;
}

/** What is proposed and why, what it rests on and what else waits for the same fact; the rest is folded. */
export function RequestBody({ request, dossier, reading }: RequestBodyProps) {
  return (
    <>
      <Proposal {...{ request, dossier, reading }} />
      <EarlierWords request={request} />
      {dossier.data !== undefined && <FlaggedSpans request={request} dossier={dossier.data} />}
      {request.kind !== 'erasure' && <Justification request={request} />}
      <Written request={request} />
      {dossier.isPending && <Loading what="the facts and the evidence around it" />}
      {dossier.error !== null && (
        <ErrorNotice error={dossier.error} retry={() => void dossier.refetch()} />
      )}
      {dossier.data !== undefined && <Surroundings request={request} dossier={dossier.data} />}
    </>
  );
}

function Proposal({ request, dossier, reading }: RequestBodyProps) {
  switch (request.kind) {
    case 'sem_put':
      return <Value request={request} dossier={dossier.data} reading={reading} />;
    case 'sensitive_consent':
      return <ConsentReview dossier={dossier} />;
    case 'erasure':
      return <ErasureReview request={request} dossier={dossier} />;
  }
}

export const Justification = ({ request }: { readonly request: ActionRequest }) => (
  <section className={styles.section}>
    <h2>{request.kind === 'sensitive_consent' ? 'What for' : 'Justification'}</h2>
    <p className={styles.prose}>
      <LongText text={request.justification} />
    </p>
    <p className={styles.small}>
      Proposed <Proposer request={request} />
    </p>
  </section>
);

interface SurroundingsProps {
  readonly request: ActionRequest;
  readonly dossier: Dossier;
}

function Surroundings({ request, dossier }: SurroundingsProps) {
  const { target_sem_key: key, value } = request;
  const sought = useMemo(
    () =>
      key === null
        ? []
        : soughtParts(factsBehind(request, dossier).before?.value, value, attributeOf(key)),
    [request, dossier, key, value],
  );
  return (
    <>
      <PersonRequests of={dossier.person_requests} />
      <Evidence dossier={dossier} sought={sought} />
      <Discussion request={request} />
      <Rivals rivals={dossier.rival_requests} />
      <div className={styles.more}>
        <Sources request={request} dossier={dossier} />
        <SimilarFacts facts={dossier.similar_facts} />
        <Redactions redactions={dossier.redactions} />
        <ProposerHistory request={request} history={dossier.proposer_history} />
      </div>
    </>
  );
}

interface ValueProps {
  readonly request: ActionRequest;
  readonly dossier: Dossier | undefined;
  readonly reading: Reading;
}

function Value({ request, dossier, reading }: ValueProps) {
  const { request_id: id, value } = request;
  const mace = useMace();
  return (
    <section className={styles.section}>
      <h2>Proposed value</h2>
      <ProposedValue request={request} dossier={dossier} reading={reading} />
      <UnredactedRead
        key={request.proposal_hash}
        what={`request ${id}`}
        redacted={value}
        stream={`request-${id}`}
        read={async (options) =>
          (await mace.actionRequests.get(id, { ...options, unredacted: 'true' })).value
        }
      />
    </section>
  );
}

/** The fact that the approval wrote, at the version that it wrote. */
export function Written({ request }: { readonly request: ActionRequest }) {
  const { execution, target_sem_key: key } = request;
  if (execution === null || key === null) return null;
  return (
    <section className={styles.section}>
      <h2>What it wrote</h2>
      <p className={styles.state}>
        <FactLink of={key} at={{ version: execution.sem_event_number }}>
          Version {execution.sem_event_number} of the fact
        </FactLink>
        <WhyLink kind="fact" id={key} />
      </p>
    </section>
  );
}

interface ProposerHistoryProps {
  readonly request: ActionRequest;
  readonly history: Dossier['proposer_history'];
}

/** Who proposes, what else this proposer has proposed, and how that ended. */
function ProposerHistory({ request, history }: ProposerHistoryProps) {
  const { proposer, made_for } = request;
  const counted = STATUSES.filter((status) => (history.by_status[status] ?? 0) > 0);
  return (
    <details>
      <summary>
        The proposer’s record ({history.others.length}{' '}
        {history.others.length === 1 ? 'other' : 'others'})
      </summary>
      <p>
        <VisibleText text={proposer.sub} />
        {made_for !== null && (
          <>
            , about the user <VisibleText text={made_for} />
          </>
        )}
        .{' '}
        <Link to="/requests" search={{ proposer: proposer.sub }}>
          All its pending requests
        </Link>
      </p>
      <p className={styles.state}>
        {counted.map((status) => (
          <Badge key={status}>
            {history.by_status[status]} {STATUS_WORDS[status].toLowerCase()}
          </Badge>
        ))}
      </p>
      {history.others.length === 0 ? (
        <p>It has proposed nothing else.</p>
      ) : (
        <ul className={styles.entries}>
          {history.others.map((other) => (
            <li key={other.request_id}>
              <Link to="/requests/$id" params={{ id: other.request_id }}>
                {nameOf(other)}
              </Link>{' '}
              <span className={styles.muted}>{deadlineWords(other)}</span>
            </li>
          ))}
        </ul>
      )}
    </details>
  );
}

/** What the privacy gate took out, and by which rule; never the data itself (SPEC P3). */
function Redactions({ redactions }: { readonly redactions: Dossier['redactions'] }) {
  if (redactions.length === 0) return null;
  return (
    <details>
      <summary>What was redacted ({redactions.length})</summary>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">Where</th>
            <th scope="col">Rule</th>
            <th scope="col">Reason</th>
          </tr>
        </thead>
        <tbody>
          {redactions.map(({ field, rule, reason }, index) => (
            <tr key={index}>
              <td>
                <code>{field}</code>
              </td>
              <td>{rule}</td>
              <td>{reason}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}
