import {
  ACTION_REQUEST_KINDS,
  type ActionRequestKind,
  type ActionRequestStatus,
  type Vote,
} from './events.js';

/** What the figures need of a request that is closed. */
export interface ClosedRequest {
  readonly kind: ActionRequestKind;
  readonly status: Exclude<ActionRequestStatus, 'pending'>;
  readonly requested_at: string;
  readonly decided_at: string;
  readonly revisions: number;
  /** The votes on the final value. */
  readonly votes: readonly Vote[];
}

/** The council's own figures. A share is between 0 and 1; null if there is nothing to divide by. */
export type CouncilFigures = {
  /** The requests that votes decided. */
  readonly decided: number;
  readonly approved: number;
  readonly rejected: number;
  readonly expired: number;
  /** From the request to its decision, in seconds; of an even number of requests, the mean of the two in the middle. */
  readonly median_seconds_to_decide: number | null;
  /** The rejected ones among the decided requests. */
  readonly rejection_share: number | null;
  /** The decided requests whose value a reviewer replaced. */
  readonly revision_share: number | null;
  /** The decided requests whose final value was approved by some and rejected by others. */
  readonly disagreement_share: number | null;
  /** The votes against the outcome among the votes that counted. */
  readonly override_share: number | null;
  /** The expired ones among the requests that were decided or expired. */
  readonly expiry_share: number | null;
};

export type FiguresByKind = CouncilFigures & {
  readonly by_kind: Readonly<Record<ActionRequestKind, CouncilFigures>>;
};

/** Computes the figures; the order of the requests does not matter. */
export function councilFigures(requests: readonly ClosedRequest[]): FiguresByKind {
  const by_kind = Object.fromEntries(
    ACTION_REQUEST_KINDS.map((kind) => [
      kind,
      figuresOf(requests.filter((request) => request.kind === kind)),
    ]),
  ) as FiguresByKind['by_kind'];
  return { ...figuresOf(requests), by_kind };
}

export function figuresOf(requests: readonly ClosedRequest[]): CouncilFigures {
  const decided = requests.filter(({ status }) => status !== 'expired');
  const expired = requests.length - decided.length;
  const rejected = count(decided, isRejected);
  const counted = decided.flatMap((request) =>
    request.votes
      .filter((vote) => vote !== 'abstain')
      .map((vote) => (vote === 'reject') !== isRejected(request)),
  );
  return {
    decided: decided.length,
    approved: decided.length - rejected,
    rejected,
    expired,
    median_seconds_to_decide: median(decided.map(secondsToDecide)),
    rejection_share: share(rejected, decided.length),
    revision_share: share(
      count(decided, ({ revisions }) => revisions > 0),
      decided.length,
    ),
    disagreement_share: share(count(decided, isDisputed), decided.length),
    override_share: share(
      count(counted, (isAgainst) => isAgainst),
      counted.length,
    ),
    expiry_share: share(expired, requests.length),
  };
}

const count = <Item>(items: readonly Item[], isCounted: (item: Item) => boolean): number =>
  items.filter(isCounted).length;

const isRejected = ({ status }: ClosedRequest): boolean => status === 'rejected';

const isDisputed = ({ votes }: ClosedRequest): boolean =>
  votes.includes('approve') && votes.includes('reject');

const secondsToDecide = ({ requested_at, decided_at }: ClosedRequest): number =>
  (Date.parse(decided_at) - Date.parse(requested_at)) / 1000;

/** Rounded to 1e-6, as scores are (SPEC Q4). */
const share = (part: number, whole: number): number | null =>
  whole === 0 ? null : Math.round((part / whole) * 1e6) / 1e6;

function median(values: readonly number[]): number | null {
  const sorted = values.toSorted((left, right) => left - right);
  const [low, high] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]];
  return low === undefined || high === undefined ? null : (low + high) / 2;
}
