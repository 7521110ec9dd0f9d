import { Link } from '@tanstack/react-router';
import type { Dossier } from '#client/index.js';
import { Instant } from '../ui/instant';
import { LongText } from '../ui/long-text';
import { Message } from '../ui/message';
import { VisibleText } from '../ui/visible-text';
import styles from './review.module.css';
import { REJECTIONS } from './words';

type Rejected = Dossier['rejected_before'][number];

/** Says that the same value was rejected before: when, by whom and why. The newest is shown, earlier ones are folded. */
export function RejectedBefore({ of }: { readonly of: readonly Rejected[] }) {
  const [newest, ...earlier] = of;
  if (newest === undefined) return null;
  return (
    <Message title="The council rejected this value before" kind="warning">
      <Rejection of={newest} />
      {earlier.length > 0 && (
        <details>
          <summary>{earlier.length} earlier</summary>
          {earlier.map((rejected) => (
            <Rejection key={rejected.request_id} of={rejected} />
          ))}
        </details>
      )}
    </Message>
  );
}

const Rejection = ({ of: { request_id, decided_at, rejections } }: { readonly of: Rejected }) => (
  <div>
    {rejections.map(({ voter, reason, reason_code }) => (
      <p key={voter.sub}>
        <VisibleText text={voter.sub} />:{' '}
        {reason_code !== null && (
          <strong>{REJECTIONS.find(({ code }) => code === reason_code)?.label}. </strong>
        )}
        <LongText text={reason} />
      </p>
    ))}
    <p className={styles.small}>
      <Link to="/requests/$id" params={{ id: request_id }}>
        See that request
      </Link>
      , rejected <Instant at={decided_at} />
    </p>
  </div>
);
