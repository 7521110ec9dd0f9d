import { Link } from '@tanstack/react-router';
import type { ActionRequest, Dossier, Json } from '#client/index.js';
import { ThreeValues } from '../changes/three-values';
import { Unchanged, ValueChange } from '../changes/value-change';
import { LeftOut, ValueFields } from '../changes/value-fields';
import { scalarText } from '../changes/values';
import { Instant } from '../ui/instant';
import { JsonView } from '../ui/json-view';
import { VisibleText } from '../ui/visible-text';
import { Grounds } from './grounds';
import styles from './review.module.css';
import { factsBehind, type StandingFact } from './standing-facts';
import type { Reading } from './use-reading';
import { ValueBox } from './value-box';

interface ProposedValueProps {
  readonly request: ActionRequest;
  /** Undefined while it is read. */
  readonly dossier: Dossier | undefined;
  readonly reading: Reading;
}

/** How much of a value is laid out before the reader opens it. */
const CUT = { characters: 4_000, rows: 60 } as const;

/** The proposed value, once: as a change of the fact that stands, else as it is. */
export function ProposedValue({ request, dossier, reading }: ProposedValueProps) {
  const { value, status, target_sem_key } = request;
  if (dossier === undefined || target_sem_key === null)
    return <Whole value={value} reading={reading} />;
  const { before, then } = factsBehind(request, dossier);
  if (then !== undefined) return <Moved {...{ request, reading, before, then }} />;
  if (before !== null) return <Change {...{ request, reading, before }} />;
  return (
    <>
      <p className={styles.small}>
        {status === 'pending'
          ? 'The fact does not exist yet. Approving creates it.'
          : 'The fact did not exist when this was proposed.'}
      </p>
      <Whole value={value} reading={reading} />
    </>
  );
}

interface WholeProps {
  readonly value: Json;
  readonly reading: Reading;
}

function Whole({ value, reading }: WholeProps) {
  const isText = typeof value === 'string';
  const { isWhole } = reading;
  return (
    <>
      <ValueBox label="Proposed value, verbatim" reading={reading}>
        {isText && value !== '' ? (
          <Text text={scalarText(value)} limit={isWhole ? Infinity : CUT.characters} />
        ) : (
          <ValueFields value={value} limit={isWhole ? Infinity : CUT.rows} />
        )}
      </ValueBox>
      {!isText && <AsJson value={value} />}
    </>
  );
}

interface TextProps {
  readonly text: string;
  /** How many characters are shown at most. */
  readonly limit: number;
}

/** A text as it is: prose, or one word. */
const Text = ({ text, limit }: TextProps) => {
  const shown = <VisibleText text={text.slice(0, limit)} />;
  return (
    <>
      {text.includes(' ') ? shown : <code>{shown}</code>}
      {text.length > limit && <LeftOut count={text.length - limit} what="more characters" />}
    </>
  );
};

/** The whole value as it would be written, folded. A number needs no other form. */
function AsJson({ value }: { readonly value: Json }) {
  const isText = typeof value === 'string';
  if (!isText && (typeof value !== 'object' || value === null)) return null;
  return (
    <details>
      <summary>{isText ? 'The whole proposed text' : 'The whole proposed value as JSON'}</summary>
      <JsonView value={value} label="The whole proposed value" />
    </details>
  );
}

interface ChangeProps {
  readonly request: ActionRequest;
  readonly reading: Reading;
  readonly before: StandingFact;
}

const CHANGE = 'The present fact against the proposed value';

const Change = ({ request: { value, status }, reading, before }: ChangeProps) => (
  <>
    <p className={styles.small}>
      {status === 'pending' ? 'Replaces the value' : 'Against the value at that time,'}{' '}
      <Writer of={before} />
    </p>
    <Grounds of={before} />
    <ValueBox label={CHANGE} reading={reading}>
      <ValueChange
        before={before.value}
        after={value}
        limit={reading.isWhole ? Infinity : CUT.rows}
      />
    </ValueBox>
    <div className={styles.more}>
      <Unchanged before={before.value} after={value} />
      <AsJson value={value} />
    </div>
  </>
);

interface MovedProps {
  readonly request: ActionRequest;
  readonly reading: Reading;
  readonly before: StandingFact | null;
  readonly then: StandingFact | null;
}

/** A fact that changed under the request: what stood then, what stands now, and what is proposed. */
const Moved = ({ request, reading, before, then }: MovedProps) => (
  <>
    <ValueBox label={CHANGE} reading={reading}>
      <ThreeValues
        values={[then?.value, before?.value, request.value]}
        about={[
          <Writer key="then" of={then} />,
          <Writer key="now" of={before} />,
          <Proposer key="proposed" request={request} />,
        ]}
        limit={reading.isWhole ? Infinity : CUT.rows}
      />
    </ValueBox>
    <Grounds of={before} />
    <AsJson value={request.value} />
  </>
);

/** Who wrote a value, when, and who approved it. */
function Writer({ of }: { readonly of: StandingFact | null }) {
  if (of === null) return 'did not exist';
  const { source, last_updated, approved_by } = of;
  return (
    <>
      written by <VisibleText text={source} />, <Instant at={last_updated} />
      {approved_by !== undefined && approved_by !== null && <Approvers of={approved_by} />}
    </>
  );
}

function Approvers({ of }: { readonly of: NonNullable<StandingFact['approved_by']> }) {
  const { voters, approvals, decided_at, request_id } = of;
  return (
    <>
      , approved by{' '}
      {voters === undefined ? (
        `${approvals} ${approvals === 1 ? 'member' : 'members'}`
      ) : (
        <VisibleText text={voters.map(({ sub }) => sub).join(', ')} />
      )}
      , <Instant at={decided_at} /> (
      <Link to="/requests/$id" params={{ id: request_id }}>
        that request
      </Link>
      )
    </>
  );
}

/** Who proposes the value, and whose words they are now. */
export const Proposer = ({ request }: { readonly request: ActionRequest }) => {
  const { proposer, made_for, requested_at, revised } = request;
  return (
    <>
      by <VisibleText text={proposer.sub} />
      {made_for !== null && (
        <>
          , about the user <VisibleText text={made_for} />
        </>
      )}
      , <Instant at={requested_at} />
      {revised !== null && (
        <>
          ; in the words of <VisibleText text={revised.editor.sub} />, <Instant at={revised.at} />
        </>
      )}
    </>
  );
};
