import { useRef, useState } from 'react';
import { type ActionRequest, isMaceError, MaceUnreachable } from '#client/index.js';
import { hasRole, type Session } from '../session/session';
import { useSession } from '../session/session-provider';
import { useAnnounce } from '../ui/announcer';
import { Button } from '../ui/button';
import { ErrorNotice } from '../ui/error-notice';
import { VisibleText } from '../ui/visible-text';
import { type Decision, isUndoable, useDecision } from './decision';
import { DecisionForm } from './decision-form';
import { type DecisionMode, type Draft, useDraft } from './drafts';
import { useHeldState } from './held-votes-provider';
import { DECISION_KEYS } from './key-tables';
import styles from './review.module.css';
import { KeyHint } from '../keys/key-hint';
import { useKeys } from '../keys/use-keys';
import type { Reading } from './use-reading';
import type { Risk } from './words';
import { concerns, isSelf } from './reviewer';

interface DecisionPanelProps {
  /** The request with the words that the reviewer has seen. */
  readonly seen: ActionRequest;
  readonly current: ActionRequest;
  readonly risk: Risk | null;
  readonly isChanged: boolean;
  readonly reading: Reading;
  readonly onSent: () => void;
}

const IS_HELD =
  'You have voted. The vote is sent in a moment; Undo, at the end of the page, takes it back.';

/** The words of a vote whose reviewer has typed none. */
const PLAIN_WORDS = { approve: 'Approved as proposed.', abstain: 'Abstained.' } as const;

const QUESTION_WAITS = 'A question to the proposer is not answered yet:';
const APPROVE_ANYWAY = `Press ${DECISION_KEYS.approve.key} again to approve anyway.`;

/** What stands in place of `Approve` as long as the end of a long value was not shown. */
const UNREAD = 'Read all of the value first';

const ACTIONS: readonly { readonly mode: DecisionMode; readonly name: string }[] = [
  { mode: 'approve', name: 'Approve' },
  { mode: 'reject', name: 'Reject' },
  { mode: 'revise', name: 'Other words' },
  { mode: 'abstain', name: 'Abstain' },
  { mode: 'ask', name: 'Ask the proposer' },
];

/** Where a reviewer decides. Nothing here has the focus by default. */
export function DecisionPanel(props: DecisionPanelProps) {
  const { seen, current, risk, isChanged, reading, onSent } = props;
  const session = useSession();
  const { draft, change, clear } = useDraft(seen.request_id);
  const decision = useDecision(seen, draft, () => {
    clear();
    onSent();
  });
  const { ids: held } = useHeldState();
  const announce = useAnnounce();
  if (!hasRole(session, 'council', 'admin')) return null;
  const obstacle = held.has(seen.request_id) ? IS_HELD : obstacleOf(session, current);
  const send = (sent: Decision): void => {
    if (reading.isUnread && isApproval(sent)) return reading.open();
    if (isChanged) return announce('The proposal has changed. Look at the new words first.');
    decision.decide(sent);
  };
  return (
    <section className={styles.panel} aria-label="Your decision">
      <h2>Your decision</h2>
      {obstacle === undefined ? (
        <Decide
          {...{ seen, current, risk, reading, draft, change, send }}
          isSending={decision.isPending}
        />
      ) : (
        <>
          <p>{obstacle}</p>
          <Unsent draft={draft} />
        </>
      )}
      {decision.error !== null && !isSettled(decision.error, obstacle) && (
        <Failure error={decision.error} />
      )}
    </section>
  );
}

const isApproval = (decision: Decision): boolean =>
  decision.type === 'vote' && decision.vote === 'approve';

/** True for a decision whose answer was lost, if the request itself now says what came of it. */
const isSettled = (error: Error, obstacle: string | undefined): boolean =>
  error instanceof MaceUnreachable && obstacle !== undefined;

/** Returns why this person may not vote, as far as the page knows; the service decides (SPEC G2, G8). */
function obstacleOf(session: Session, request: ActionRequest): string | undefined {
  const { status, proposer, revised, votes } = request;
  if (status !== 'pending') return 'This request is closed.';
  if (isSelf(proposer, session)) return 'You proposed this, so others decide.';
  if (concerns(request, session)) return 'This is about you, so others decide.';
  if (isSelf(revised?.editor, session)) return 'You wrote these words, so another member decides.';
  if (votes.some(({ voter }) => isSelf(voter, session)))
    return 'You have voted. Others still decide.';
  return undefined;
}

interface DecideProps {
  readonly seen: ActionRequest;
  readonly current: ActionRequest;
  readonly risk: Risk | null;
  readonly reading: Reading;
  readonly draft: Draft;
  readonly change: (part: Draft) => void;
  readonly send: (decision: Decision) => void;
  readonly isSending: boolean;
}

function Decide(props: DecideProps) {
  const { seen, current, risk, reading, draft, change, send, isSending } = props;
  const buttons = useRef<HTMLDivElement>(null);
  const question = openQuestion(current);
  const [passedOver, passOver] = useState<string>();
  const saysSo = draft.mode === 'approve' || (draft.mode === undefined && question === passedOver);
  const announce = useAnnounce();
  const canRevise = seen.kind === 'sem_put';
  const actions = ACTIONS.filter(({ mode }) => mode !== 'revise' || canRevise);
  const open = (mode: DecisionMode): void => change({ mode });
  const close = (): void => {
    change({ mode: undefined });
    buttons.current?.querySelector<HTMLElement>('button:not([data-approves])')?.focus();
  };
  const atOnce = (mode: 'approve' | 'abstain') => (): void => {
    const asksFirst = mode === 'approve' && risk?.level !== 'low' && risk?.level !== 'medium';
    if (!isUndoable(seen) || (asksFirst && (draft.reason ?? '').trim() === '')) open(mode);
    else send({ type: 'vote', vote: mode, reason: draft.reason?.trim() || PLAIN_WORDS[mode] });
  };
  const approve = (): void => {
    if (seen.kind === 'sem_put' && !reading.isMeasured) return;
    if (reading.isUnread) return reading.open();
    if (question === undefined || question === passedOver) return atOnce('approve')();
    passOver(question);
    announce(`${QUESTION_WAITS} ${question} ${APPROVE_ANYWAY}`);
  };
  const does: Record<DecisionMode, () => void> = {
    approve,
    abstain: atOnce('abstain'),
    reject: () => open('reject'),
    revise: () => open('revise'),
    ask: () => open('ask'),
  };
  useKeys(DECISION_KEYS, {
    ...does,
    revise: canRevise ? does.revise : undefined,
    approveInWords: reading.isUnread ? reading.open : () => open('approve'),
    abstainInWords: () => open('abstain'),
  });
  return (
    <>
      <div ref={buttons} className={styles.choices}>
        {actions.map(({ mode, name }) => (
          <Button
            key={mode}
            {...(mode === 'approve' ? { 'data-approves': '' } : {})}
            aria-pressed={draft.mode === mode}
            aria-keyshortcuts={DECISION_KEYS[mode].key}
            disabled={isSending}
            onClick={does[mode]}
          >
            {mode === 'approve' && reading.isUnread ? UNREAD : name}{' '}
            <KeyHint of={DECISION_KEYS[mode]} />
          </Button>
        ))}
      </div>
      {question !== undefined && saysSo && (
        <p className={styles.waits}>
          {QUESTION_WAITS}{' '}
          <q>
            <VisibleText text={question} />
          </q>{' '}
          {draft.mode === undefined && APPROVE_ANYWAY}
        </p>
      )}
      {draft.mode !== undefined && (
        <DecisionForm
          key={draft.mode}
          {...{ seen, draft, change, send }}
          mode={draft.mode}
          isSending={isSending}
          onClose={close}
        />
      )}
    </>
  );
}

/** The last question to the proposer, if it has no answer. */
const openQuestion = ({ awaits_answer, discussion }: ActionRequest): string | undefined =>
  awaits_answer ? discussion.findLast(({ kind }) => kind === 'question')?.text : undefined;

/** What was typed for a request that can no longer be decided, so that it can be used elsewhere. */
function Unsent({ draft }: { readonly draft: Draft }) {
  const words = [draft.value, draft.reason, draft.question].filter((text) => text !== undefined);
  if (words.length === 0) return null;
  return (
    <div>
      <p>You had typed:</p>
      {words.map((text) => (
        <blockquote key={text}>
          <VisibleText text={text} />
        </blockquote>
      ))}
    </div>
  );
}

/** A refused decision. The page itself shows what has changed after a conflict. */
const Failure = ({ error }: { readonly error: Error }) =>
  isMaceError(error, 'VERSION_CONFLICT') ? (
    <p role="alert">Your vote was not counted: the request changed. What you have typed is kept.</p>
  ) : (
    <ErrorNotice error={error} />
  );
