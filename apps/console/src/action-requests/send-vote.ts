import { isMaceError, type MaceClient } from '#client/index.js';
import type { HeldVote, SeenRequest, VoteOutcome } from './held-votes';

/** The service takes so many requests in one vote. */
const MAX_AT_ONCE = 100;
/** Answers of 4xx after which the same vote can still count: a new token, a pause. */
const TEMPORARY: ReadonlySet<number> = new Set([401, 408, 429]);

/** Casts a held vote. Fails if it is not known whether it counts; sent again, it counts once. */
export const sendVote = (mace: MaceClient, vote: HeldVote): Promise<VoteOutcome> =>
  vote.isBulk ? sendMany(mace, vote) : sendOne(mace, vote);

async function sendOne(mace: MaceClient, held: HeldVote): Promise<VoteOutcome> {
  const { id, requests, vote, reason, code } = held;
  const [{ request_id, proposal_hash }] = requests as readonly [SeenRequest];
  try {
    const voted = await mace.actionRequests.vote(
      request_id,
      { vote, reason, proposal_hash, ...codeOf(code) },
      { idempotencyKey: id },
    );
    return { cast: [request_id], refused: [], voted };
  } catch (error) {
    return refusalOf(requests, error);
  }
}

async function sendMany(mace: MaceClient, held: HeldVote): Promise<VoteOutcome> {
  const { id, requests } = held;
  const parts = Array.from({ length: Math.ceil(requests.length / MAX_AT_ONCE) }, (_, place) =>
    requests.slice(place * MAX_AT_ONCE, (place + 1) * MAX_AT_ONCE),
  );
  // All parts leave at once, because the page may be about to close.
  const outcomes = await Promise.all(
    parts.map((part, place) => sendPart(mace, held, part, `${id}.${place}`)),
  );
  return {
    cast: outcomes.flatMap(({ cast }) => cast),
    refused: outcomes.flatMap(({ refused }) => refused),
  };
}

async function sendPart(
  mace: MaceClient,
  { vote, reason, code }: HeldVote,
  part: readonly SeenRequest[],
  idempotencyKey: string,
): Promise<VoteOutcome> {
  const requests = part.map(({ request_id, proposal_hash }) => ({ request_id, proposal_hash }));
  const ballot = { requests, reason };
  try {
    const { results } = await (vote === 'approve'
      ? mace.actionRequests.approveMany(ballot, { idempotencyKey })
      : mace.actionRequests.rejectMany({ ...ballot, ...codeOf(code) }, { idempotencyKey }));
    return {
      cast: results.flatMap(({ request_id, error }) => (error === null ? [request_id] : [])),
      refused: results.flatMap(({ request_id, error }) =>
        error === null
          ? []
          : [{ request_id, why: whyOf(error.error_code, error.developer_message) }],
      ),
    };
  } catch (error) {
    return refusalOf(part, error);
  }
}

/** Returns the field of a vote for the code of its reason; none without a code. */
export const codeOf = (code: HeldVote['code']) => (code === undefined ? {} : { reason_code: code });

/** Returns the refusal of all these votes. Any other failure leaves open whether they count, and is thrown. */
function refusalOf(requests: readonly SeenRequest[], error: unknown): VoteOutcome {
  if (!isMaceError(error) || error.status >= 500 || TEMPORARY.has(error.status)) throw error;
  const why = whyOf(error.code, error.developerMessage);
  return { cast: [], refused: requests.map(({ request_id }) => ({ request_id, why })) };
}

const whyOf = (code: string, message: string): string =>
  code === 'VERSION_CONFLICT' ? 'The request changed before the vote arrived.' : message;
