import { Injectable, Inject } from '@nestjs/common';
import { entityIn, parseKey, userEntityId } from '#domain/canonical-key/canonical-key.js';
import { permit } from '#domain/errors/permit.js';
import { hasRole, ownUserId, userFor } from '#domain/ownership/access.js';
import type { Actor } from '#domain/recorded-event.js';
import { mayRead, mayWrite, TRUSTED_AGENTS_KEY, trustedAgents } from '#domain/sem/access.js';
import { OwnerClaims } from '../ownership/owner-claims.js';
import { currentFact } from '#domain/sem/state.js';
import { semStream } from '#domain/stream-names.js';
import type { SemStore } from '../platform/stores.js';
import { SEM_STORE } from '../platform/tokens.js';

/** Reads the current list of agents that may write shared facts (SPEC S4). */
@Injectable()
export class TrustedAgents {
  constructor(@Inject(SEM_STORE) private readonly facts: SemStore) {}

  async subs(): Promise<readonly string[]> {
    const fact = currentFact((await this.facts.load(semStream(TRUSTED_AGENTS_KEY))).state);
    return trustedAgents(fact !== undefined && 'value' in fact ? fact.value : undefined);
  }
}

/**
 * Decides whether a caller may read or write a fact, by the fact's key (SPEC S1, S4) and by the owner of
 * the user's slug (SPEC I9).
 */
@Injectable()
export class FactPermissions {
  constructor(
    private readonly trusted: TrustedAgents,
    private readonly owners: OwnerClaims,
  ) {}

  /** Requires that the caller may read the fact. @throws Refusal PERMISSION_DENIED */
  async requireRead(actor: Actor, key: string): Promise<void> {
    permit(mayRead(actor, key), `read ${key}`, 'S1');
    if (hasRole(actor, 'admin', 'council', 'auditor')) return;
    const own = this.boundUser(actor, key);
    if (own !== undefined) await this.owners.check(own);
  }

  /**
   * Returns the entity of scope `user` whose facts the caller may list; null if the caller may list no
   * user's facts, undefined if the caller may list those of all users (SPEC S1). An agent's token without a user names
   * the user by `user_id`, or in the prefix. @throws Refusal PERMISSION_DENIED for another user than the token's, or if
   * another raw id owns the user's slug (SPEC I9).
   */
  async listedUser(
    actor: Actor,
    prefix: string,
    user_id: string | undefined,
  ): Promise<string | null | undefined> {
    if (hasRole(actor, 'admin', 'council', 'auditor'))
      return user_id === undefined ? undefined : userEntityId(user_id);
    const user = userFor(actor, user_id);
    if (user === null) return hasRole(actor, 'agent') ? entityIn(prefix) : null;
    await this.owners.check(user);
    return userEntityId(user);
  }

  async mayWrite(actor: Actor, key: string): Promise<boolean> {
    if (mayWrite(actor, key, [])) return true;
    const { scope } = parseKey(key);
    const needsTrust = hasRole(actor, 'agent') && (scope === 'agent' || scope === 'world');
    return needsTrust && mayWrite(actor, key, await this.trusted.subs());
  }

  /** Requires that the caller may write the fact. @throws Refusal PERMISSION_DENIED */
  async requireWrite(actor: Actor, key: string): Promise<void> {
    permit(await this.mayWrite(actor, key), `write ${key}`, 'S4');
  }

  /**
   * Returns the token's raw user id if the key has scope `user` and the caller is not an admin;
   * otherwise undefined.
   */
  boundUser(actor: Actor, key: string): string | undefined {
    return parseKey(key).scope === 'user' && !hasRole(actor, 'admin')
      ? ownUserId(actor)
      : undefined;
  }
}
