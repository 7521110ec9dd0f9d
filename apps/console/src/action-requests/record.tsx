import type { ReactNode } from 'react';
import type { ActionRequest } from '#client/index.js';
import { FactLink } from '../sem/fact-link';
import { Instant } from '../ui/instant';
import { VisibleText } from '../ui/visible-text';
import styles from './review.module.css';
import { SourceReceipt } from './source-receipt';
import { STATUS_WORDS } from './words';

type Source = ActionRequest['source_event'];

interface Step {
  readonly what: ReactNode;
  /** Null for a step whose time the request does not have. */
  readonly at: string | null;
  readonly event: Source;
}

/** How the request came about and ended, each step with the receipt of its event. */
export function Record({ request }: { readonly request: ActionRequest }) {
  return (
    <section aria-label="Record">
      <details open={request.status !== 'pending'}>
        <summary>Record</summary>
        <ul className={styles.entries}>
          {stepsOf(request).map(({ what, at, event }, index) => (
            <li key={index}>
              <p className={styles.state}>
                <span>{what}</span>
                {at !== null && (
                  <span className={styles.muted}>
                    <Instant at={at} />
                  </span>
                )}
                <SourceReceipt requestId={request.request_id} event={event} />
              </p>
            </li>
          ))}
        </ul>
      </details>
    </section>
  );
}

function stepsOf(request: ActionRequest): readonly Step[] {
  const { earlier_versions, revised, decided_at, execution, execution_event } = request;
  const revisions = [...earlier_versions.map((version) => version.revised), revised];
  return [
    {
      what: (
        <>
          Proposed by <VisibleText text={request.proposer.sub} />
        </>
      ),
      at: request.requested_at,
      event: request.source_event,
    },
    ...revisions.flatMap((revision) =>
      revision === null
        ? []
        : [
            {
              what: (
                <>
                  Other words by <VisibleText text={revision.editor.sub} />:{' '}
                  <VisibleText text={revision.reason} />
                </>
              ),
              at: revision.at,
              event: revision.source_event,
            },
          ],
    ),
    ...(decided_at === null
      ? []
      : [{ what: decisionWords(request), at: decided_at, event: request.decision_event }]),
    ...(execution !== null || execution_event !== null
      ? [{ what: <Execution request={request} />, at: null, event: execution_event }]
      : []),
  ];
}

const decisionWords = ({ status }: ActionRequest): string =>
  status === 'rejected' || status === 'expired' ? STATUS_WORDS[status] : STATUS_WORDS.approved;

/** What the approval led to. A written fact leads to its history at that event. */
function Execution({ request }: { readonly request: ActionRequest }) {
  const { execution, target_sem_key, refusal_code } = request;
  if (execution === null)
    return refusal_code === null ? 'Keys destroyed' : `Write refused with ${refusal_code}`;
  const { sem_stream, sem_event_number: version } = execution;
  const words = refusal_code === null ? 'Written' : `Written, and lost with ${refusal_code}`;
  return target_sem_key === null ? (
    <>
      {words} as event {version} of <VisibleText text={sem_stream} />
    </>
  ) : (
    <>
      {words} as{' '}
      <FactLink of={target_sem_key} at={{ version }}>
        version {version} of the fact
      </FactLink>
    </>
  );
}
