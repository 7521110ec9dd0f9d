import { Inject, Injectable } from '@nestjs/common';
import { jsonBytes, LruMap } from '#bounded/lru-map.js';
import { sameUser } from '#domain/canonical-key/canonical-key.js';
import { permit } from '#domain/errors/permit.js';
import type { JobOwner } from '#domain/job/events.js';
import type { Space } from '#domain/memory-contract/item.js';
import type { StoreState } from '#domain/memory-contract/state.js';
import { ownerName } from '#domain/memory-contract/owners.js';
import { ownUserId, readsEveryOwner } from '#domain/ownership/access.js';
import { sessionUserId } from '#domain/ownership/owner.decider.js';
import {
  readsWholeSpace,
  requireSessionRead,
  requireStoreName,
  requireStoreUse,
  requireUserRead,
  sessionClaimStream,
  slugClaimStream,
  sessionOfUserId,
} from '#domain/ownership/store-access.js';
import type { Actor, CommandIdentity } from '#domain/recorded-event.js';
import { claimBy } from '#domain/session/session.decider.js';
import { storeOwnerStream } from '#domain/stream-names.js';
import { OwnerClaims } from '../ownership/owner-claims.js';
import type { OwnerStore, SessionStore } from '../platform/stores.js';
import { OWNER_STORE, SESSION_STORE } from '../platform/tokens.js';
import type { MemoryRequest } from './memory-request.js';

const REMEMBERED = { maxBytes: 8 * 1024 * 1024, bytesOf: jsonBytes };

/**
 * Checks and makes the claims that decide who may use which store of the Memory Contract (SPEC I9, M2).
 * Claims are permanent, so they are cached.
 */
@Injectable()
export class MemoryAccess {
  private readonly sessions = new LruMap<string, JobOwner>(REMEMBERED);
  private readonly names = new LruMap<string, string>(REMEMBERED);

  constructor(
    @Inject(SESSION_STORE) private readonly sessionStore: SessionStore,
    @Inject(OWNER_STORE) private readonly ownerStore: OwnerStore,
    private readonly users: OwnerClaims,
  ) {}

  /**
   * Checks that the caller may use the session's store and the user's store. Returns true if both are
   * claimed, so that the result cannot change any more. @throws Refusal PERMISSION_DENIED if another caller
   * owns one of them.
   */
  async requireUse({ actor, session_id, user_id, data }: MemoryRequest): Promise<boolean> {
    const { owners } = data;
    const [session, sessionName, userName, slug_holder] = await Promise.all([
      this.ownerOfSession(session_id),
      this.holderOf('session', owners.session),
      this.holderOf('user', owners.user),
      user_id === null ? this.holderOfSlug(session_id) : null,
      user_id === null ? undefined : this.users.check(user_id),
    ]);
    const names = { session: sessionName, user: userName };
    requireStoreUse({ actor, session_id, user_id, owners }, { session, names, slug_holder });
    return session !== null && sessionName !== null && userName !== null;
  }

  /**
   * Checks again, after stores were read, that the caller may use them: another caller may have claimed and
   * written one of them since `requireUse`. A claim always comes before the first write, so empty stores need
   * no check. @throws Refusal PERMISSION_DENIED if another caller owns one of them.
   */
  async requireStillOwned(request: MemoryRequest, stores: readonly StoreState[]): Promise<void> {
    if (stores.some(({ version }) => version >= 0)) await this.requireUse(request);
  }

  /** Claims a request's session and its user for the caller (SPEC I9). */
  async claim(request: MemoryRequest, identity: CommandIdentity): Promise<void> {
    const { actor, session_id, user_id, data } = request;
    const { owners } = data;
    if (user_id !== null) {
      await this.users.claim(user_id, identity);
      await this.claimName('user', owners.user, user_id, identity);
    }
    await this.claimName('session', owners.session, session_id, identity);
    // Another caller may have claimed the session since `requireUse`, so its owner is checked again.
    const stream = sessionClaimStream(session_id);
    const owner = { sub: actor.sub, user_id };
    const known = this.sessions.get(stream);
    if (known !== undefined) claimBy({ session_id, owner: known }, actor, owner);
    else await this.sessionStore.execute(stream, (state) => claimBy(state, actor, owner), identity);
  }

  /**
   * Claims the session's name before a session without a user writes to the user space, so that no user
   * can take the same name (SPEC M2).
   */
  async claimForStandIn(request: MemoryRequest, identity: CommandIdentity): Promise<void> {
    const { session_id, user_id, data } = request;
    if (user_id !== null) return;
    await this.claimName('user', data.owners.user, sessionUserId(session_id), identity);
  }

  /**
   * Checks that a caller may read a store. Agents may read the stores of their sessions and users;
   * auditors and the council may read all stores. @throws Refusal PERMISSION_DENIED, and NOT_FOUND for a
   * session without an owner.
   */
  async requireRead(actor: Actor, space: Space, owner: string): Promise<void> {
    if (readsWholeSpace(actor, space, owner)) return;
    if (space === 'session') return this.requireReadOfSession(actor, owner);
    const holder = await this.holderOf('user', owner);
    const session = sessionOfUserId(holder);
    if (session !== undefined) return this.requireReadOfSession(actor, ownerName(session));
    requireUserRead(actor, owner, holder);
    const own = ownUserId(actor);
    if (own !== undefined) await this.users.check(own);
  }

  /**
   * The same as `requireRead`, for a list. An agent's token without a user may read the store of any user that it
   * names, so a list shows it only the store with that name. @param named the owner that the list names
   */
  async requireListed(actor: Actor, space: Space, owner: string, named: string): Promise<void> {
    await this.requireRead(actor, space, owner);
    if (space !== 'user' || readsEveryOwner(actor) || ownUserId(actor) !== undefined) return;
    const isStandIn = sessionOfUserId(await this.holderOf('user', owner)) !== undefined;
    permit(isStandIn || sameUser(ownerName(named), owner), `list the memory of ${owner}`, 'I9');
  }

  private async requireReadOfSession(actor: Actor, owner: string): Promise<void> {
    const session_id = await this.holderOf('session', owner);
    const claimed = session_id === null ? null : await this.ownerOfSession(session_id);
    requireSessionRead(actor, owner, claimed);
  }

  private async ownerOfSession(sessionId: string): Promise<JobOwner | null> {
    const stream = sessionClaimStream(sessionId);
    const known = this.sessions.get(stream);
    if (known !== undefined) return known;
    const { owner } = (await this.sessionStore.load(stream)).state;
    if (owner !== null) this.sessions.set(stream, owner);
    return owner;
  }

  private async holderOf(space: 'session' | 'user', owner: string): Promise<string | null> {
    const stream = storeOwnerStream(space, owner);
    const known = this.names.get(stream);
    if (known !== undefined) return known;
    const { raw_id } = (await this.ownerStore.load(stream)).state;
    if (raw_id !== null) this.names.set(stream, raw_id);
    return raw_id;
  }

  private async holderOfSlug(sessionId: string): Promise<string | null> {
    const stream = slugClaimStream(sessionId);
    return stream === undefined ? null : (await this.ownerStore.load(stream)).state.raw_id;
  }

  private async claimName(
    space: 'session' | 'user',
    owner: string,
    raw_id: string,
    identity: CommandIdentity,
  ): Promise<void> {
    const stream = storeOwnerStream(space, owner);
    const holder = this.names.get(stream);
    if (holder !== undefined) return requireStoreName(space, owner, raw_id, holder);
    await this.ownerStore.execute(stream, [{ type: 'claim', raw_id }], identity);
  }
}
