import type { ApprovedBy } from '#client/index.js';
import { Instant } from './instant';
import { RequestLink } from './request-link';
import { VisibleText } from './visible-text';

/** Who approved something, when, and in which request. */
export const Approval = ({ by }: { readonly by: ApprovedBy }) => (
  <>
    <Approvers {...by} /> at <Instant at={by.decided_at} />, <RequestLink id={by.request_id} />
  </>
);

/** The names of those who voted for it, or their number for a reader who may not see the names. */
const Approvers = ({ approvals, voters }: ApprovedBy) =>
  voters === undefined ? (
    `${approvals} ${approvals === 1 ? 'reviewer' : 'reviewers'}`
  ) : (
    <VisibleText text={voters.map(({ sub }) => sub).join(', ')} />
  );
