import { Injectable } from '@nestjs/common';
import { isPermitted } from '#domain/errors/permit.js';
import { Refusal } from '#domain/errors/refusal.js';
import { projectOwner } from '#domain/memory-contract/owners.js';
import { mayUseJob, ownUserId, readsEveryOwner, userFor } from '#domain/ownership/access.js';
import { privateOwnerOf } from '#domain/ownership/private-owner.js';
import type { Actor } from '#domain/recorded-event.js';
import { type ReadableScopes, readableScopes } from '#domain/search/scopes.js';
import { OwnerClaims } from '../ownership/owner-claims.js';
import { JobAccess } from '../ownership/job-access.js';

/** The fields of a request on which the scopes of its caller depend. */
export interface NamedScopes {
  readonly user_id: string | undefined;
  /** A job of whose user an agent's token without a user searches the memory. */
  readonly job_seed: string | undefined;
  readonly project_root: string | undefined;
}

/** Decides what a search may find (SPEC Q1). */
@Injectable()
export class SearchAccess {
  constructor(
    private readonly jobs: JobAccess,
    private readonly owners: OwnerClaims,
  ) {}

  /**
   * Returns the scopes that a caller may read. An agent's token without a user that names a user, or a job of a user,
   * reads what a token of this user would. @throws Refusal PERMISSION_DENIED for another user than the token's
   */
  async scopesOf(actor: Actor, named: NamedScopes): Promise<ReadableScopes> {
    const project = projectOwner(named.project_root ?? null);
    // An agent that acts for a user still has notes of its own alone (SPEC N1).
    const noteOwner = privateOwnerOf(actor);
    if (readsEveryOwner(actor))
      return readableScopes(actor, { ownsSlug: true, noteOwner, project });
    const user = userFor(actor, named.user_id ?? (await this.userOfJob(actor, named.job_seed)));
    const acting = user === null ? actor : { ...actor, user_id: user };
    return readableScopes(acting, { ownsSlug: await this.ownsSlug(acting), noteOwner, project });
  }

  /** Returns the user of a job that the caller may use; undefined for any other job. */
  private async userOfJob(actor: Actor, seed: string | undefined): Promise<string | undefined> {
    if (seed === undefined || ownUserId(actor) !== undefined) return undefined;
    try {
      const owner = await this.jobs.ownerOf(seed);
      return mayUseJob(actor, owner) ? (owner.user_id ?? undefined) : undefined;
    } catch (cause) {
      if (cause instanceof Refusal && cause.code === 'NOT_FOUND') return undefined;
      throw cause;
    }
  }

  /** False if another raw id owns the slug of the caller's user (SPEC I9). */
  private async ownsSlug(actor: Actor): Promise<boolean> {
    const own = ownUserId(actor);
    if (own === undefined) return true;
    return isPermitted(() => this.owners.check(own));
  }
}
