import { Inject, Injectable } from '@nestjs/common';
import { sameUser, userSlug } from '#domain/canonical-key/canonical-key.js';
import { SEED_PATTERN } from '#domain/determinism/ids.js';
import { permit } from '#domain/errors/permit.js';
import { Refusal } from '#domain/errors/refusal.js';
import type { JobOwner } from '#domain/job/events.js';
import type { Space } from '#domain/memory-contract/item.js';
import { ownerName } from '#domain/memory-contract/owners.js';
import { hasRole, mayReadJob, mayUseJob, ownUserId } from '#domain/ownership/access.js';
import {
  mayUseSlug,
  ownerStream,
  standInFor,
  storeOwnerStream,
} from '#domain/ownership/owner.decider.js';
import type { Actor, CommandIdentity } from '#domain/recorded-event.js';
import { sessionStream } from '#domain/session/session.decider.js';
import { OwnerClaims } from '../claims/owner-claims.js';
import type { OwnerStore, SessionStore } from '../platform/stores.js';
import { OWNER_STORE, SESSION_STORE } from '../platform/tokens.js';
import type { MemoryRequest } from './memory-request.js';

const MOST_REMEMBERED = 10_000;

/** The session whose claim it is: the one of jobs, where jobs could have a session of that id (SPEC I4, M2). */
const claimStream = (sessionId: string): string =>
  sessionStream(SEED_PATTERN.test(sessionId) ? sessionId : ownerName(sessionId));

/** Who may use which store of the Memory Contract (SPEC I9, M2). Claims are never taken back, so they are kept. */
@Injectable()
export class MemoryAccess {
  private readonly sessions = new Map<string, JobOwner>();
  private readonly names = new Map<string, string>();

  constructor(
    @Inject(SESSION_STORE) private readonly sessionStore: SessionStore,
    @Inject(OWNER_STORE) private readonly ownerStore: OwnerStore,
    private readonly users: OwnerClaims,
  ) {}

  /**
   * Lets a request through to its session's store and its user's.
   * @throws Refusal PERMISSION_DENIED if one of them is somebody else's.
   */
  async toUse({ actor, session_id, user_id, data }: MemoryRequest): Promise<void> {
    const { owners } = data;
    const [owner] = await Promise.all([
      this.ownerOfSession(session_id),
      this.requireName('session', owners.session, session_id),
      user_id === null
        ? this.requireNoUser(session_id, owners.user)
        : this.requireUser(user_id, owners.user),
    ]);
    const allowed = owner === undefined || mayUseJob(actor, owner);
    permit(allowed, `use session ${owners.session}`, 'I9');
  }

  /** Claims a request's session, and its user, for whom it acts (SPEC I9). */
  async claim(request: MemoryRequest, identity: CommandIdentity): Promise<void> {
    const { actor, session_id, user_id, data } = request;
    const { owners } = data;
    if (user_id !== null) {
      await this.users.claim(user_id, identity);
      await this.claimName('user', owners.user, user_id, identity);
    }
    await this.claimName('session', owners.session, session_id, identity);
    // Admins reach the sessions of others (SPEC I9).
    const owner = { sub: actor.sub, user_id };
    if ((await this.ownerOfSession(session_id)) !== undefined) return;
    await this.sessionStore.execute(claimStream(session_id), [{ type: 'claim', owner }], identity);
  }

  /** Before a session without a user writes to the user's space: its name is not to be a user's (SPEC M2). */
  async claimForStandIn(request: MemoryRequest, identity: CommandIdentity): Promise<void> {
    const { session_id, user_id, data } = request;
    if (user_id !== null) return;
    await this.claimName('user', data.owners.user, standInFor(session_id), identity);
  }

  /**
   * Lets a caller read a store: an agent its sessions' and its user's, auditors and the council all.
   * @throws Refusal PERMISSION_DENIED, and NOT_FOUND for a session that nobody has claimed.
   */
  async toRead(actor: Actor, space: Space, owner: string): Promise<void> {
    const readsAll = hasRole(actor, 'admin', 'auditor', 'council');
    if (space === 'session') return this.toReadSession(actor, owner);
    if (readsAll) return;
    permit(space === 'user', `read the memory of ${space} ${owner}`, 'I9');
    const holder = await this.holderOf('user', owner);
    const session = holder?.startsWith('session:') ? holder.slice('session:'.length) : undefined;
    if (session !== undefined) return this.toReadSession(actor, ownerName(session));
    const own = ownUserId(actor);
    const isOwn = own === undefined || sameUser(ownerName(own), owner);
    permit(isOwn, `read the memory of user ${owner}`, 'I9');
    if (own !== undefined) await this.requireUser(own, owner);
  }

  private async toReadSession(actor: Actor, owner: string): Promise<void> {
    const session_id = await this.holderOf('session', owner);
    const claimed = session_id === null ? undefined : await this.ownerOfSession(session_id);
    if (claimed === undefined)
      throw new Refusal('NOT_FOUND', { what: 'memory of session', id: owner });
    permit(mayReadJob(actor, claimed), `read the memory of session ${owner}`, 'I9');
  }

  private async ownerOfSession(sessionId: string): Promise<JobOwner | undefined> {
    const stream = claimStream(sessionId);
    const known = this.sessions.get(stream);
    if (known !== undefined) return known;
    const { owner } = (await this.sessionStore.load(stream)).state;
    if (owner === null) return undefined;
    remember(this.sessions, stream, owner);
    return owner;
  }

  private async requireUser(userId: string, owner: string): Promise<void> {
    await Promise.all([this.users.check(userId), this.requireName('user', owner, userId)]);
  }

  /** A session stands in for the user that it has not, if no user holds that name (SPEC M2). */
  private async requireNoUser(sessionId: string, owner: string): Promise<void> {
    const [holder] = await Promise.all([
      this.userOfSlug(sessionId),
      this.requireName('user', owner, standInFor(sessionId)),
    ]);
    permit(holder === null, `stand in for the user ${owner}`, 'M2');
  }

  private async userOfSlug(sessionId: string): Promise<string | null> {
    const stream = slugStream(sessionId);
    return stream === undefined ? null : (await this.ownerStore.load(stream)).state.raw_id;
  }

  private async requireName(space: 'session' | 'user', owner: string, rawId: string) {
    const raw_id = await this.holderOf(space, owner);
    const slug = `${space}:${owner}`;
    permit(mayUseSlug({ slug, raw_id }, rawId), `use the owner ${slug}`, 'I9');
  }

  private async holderOf(space: 'session' | 'user', owner: string): Promise<string | null> {
    const stream = storeOwnerStream(space, owner);
    const known = this.names.get(stream);
    if (known !== undefined) return known;
    const { raw_id } = (await this.ownerStore.load(stream)).state;
    if (raw_id !== null) remember(this.names, stream, raw_id);
    return raw_id;
  }

  private async claimName(
    space: 'session' | 'user',
    owner: string,
    raw_id: string,
    identity: CommandIdentity,
  ): Promise<void> {
    const stream = storeOwnerStream(space, owner);
    if (this.names.has(stream)) return this.requireName(space, owner, raw_id);
    await this.ownerStore.execute(stream, [{ type: 'claim', raw_id }], identity);
  }
}

/** Where a user would be found whose slug a session's id leads to; undefined: it leads to none. */
function slugStream(sessionId: string): string | undefined {
  try {
    userSlug(sessionId);
    return ownerStream(sessionId);
  } catch (cause) {
    if (cause instanceof Refusal) return undefined;
    throw cause;
  }
}

function remember<Value>(known: Map<string, Value>, key: string, value: Value): void {
  if (known.size >= MOST_REMEMBERED) known.clear();
  known.set(key, value);
}
