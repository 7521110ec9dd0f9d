import { foldUserId, sameUser, userSlug } from '../canonical-key/canonical-key.js';
import type { Decider } from '../decider.js';
import { permit } from '../errors/permit.js';
import { Refusal } from '../errors/refusal.js';
import { ownerName } from '../memory-contract/owners.js';
import { CASE_CLAIMS, slugOfOwnerStream } from '../stream-names.js';
import { ownerSchemas, type OwnerEvent } from './events.js';

/** A session that has no user claims its user store under a raw id with this prefix (SPEC M2). */
export const SESSION_USER_PREFIX = 'session:';

export const sessionUserId = (sessionId: string): string => `${SESSION_USER_PREFIX}${sessionId}`;

const isOwnerName = (owner: string, rawId: string): boolean => ownerName(rawId) === owner;

/** True if a raw id normalises to this slug or store name, and so may claim it. */
function leadsTo(slug: string, rawId: string): boolean {
  const colon = slug.indexOf(':');
  if (colon < 0) return userSlug(rawId) === slug;
  if (slug.startsWith(CASE_CLAIMS)) return foldUserId(rawId) === slug.slice(CASE_CLAIMS.length);
  const owner = slug.slice(colon + 1);
  const session = rawId.startsWith(SESSION_USER_PREFIX)
    ? rawId.slice(SESSION_USER_PREFIX.length)
    : undefined;
  const isStandIn = slug.startsWith('user:') && session !== undefined;
  return isOwnerName(owner, rawId) || (isStandIn && isOwnerName(owner, session));
}

export interface OwnerState {
  readonly slug: string;
  /** The raw id of the first claim; null before the first claim. */
  readonly raw_id: string | null;
}

/** The claim that is sent with a write, a job or a session of a user (SPEC I9). */
interface ClaimOwner {
  readonly type: 'claim';
  readonly raw_id: string;
}

/** True if a raw id may read and write under this slug: it owns the slug, or nobody owns it yet (SPEC I9). */
export const mayUseSlug = (state: OwnerState, rawId: string): boolean =>
  state.raw_id === null || sameUser(state.raw_id, rawId);

/** The decider of `owner-<slug>`. The first raw id owns the slug; a repeated claim adds no event (SPEC I9). */
export const ownerDecider: Decider<OwnerState, ClaimOwner, OwnerEvent> = {
  category: 'owner',
  schemas: ownerSchemas,
  initialState: (stream) => ({ slug: slugOfOwnerStream(stream), raw_id: null }),
  evolve: (state, event) => ({ ...state, raw_id: event.data.raw_id }),
  decide({ raw_id }, state) {
    if (!leadsTo(state.slug, raw_id))
      throw new Refusal('INVALID_INPUT', { reason: `the id does not lead to ${state.slug}` });
    permit(mayUseSlug(state, raw_id), `use the owner slug ${state.slug}`, 'I9');
    if (state.raw_id !== null) return [];
    return [{ type: 'owner_claimed', data: { slug: state.slug, raw_id } }];
  },
  commandOf: (input) => ({ type: 'claim', raw_id: input.data.raw_id }),
};
