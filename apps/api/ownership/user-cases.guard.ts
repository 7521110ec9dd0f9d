import { type CanActivate, type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { hasOtherCases } from '#domain/canonical-key/canonical-key.js';
import { hashJson } from '#domain/determinism/hash.js';
import { ownUserId } from '#domain/ownership/access.js';
import { callerOf } from '../platform/auth/caller.js';
import { isPublic } from '../platform/auth/roles.js';
import type { KeyedHash } from '../platform/http/identity.js';
import { KEYED_HASH } from '../platform/tokens.js';
import { OwnerClaims } from './owner-claims.js';

/**
 * Lets a user whose id has capital or small letters beyond A–Z in only if no other user has the same id but for them:
 * names in read models and of private streams do not tell the two apart (SPEC I9).
 */
@Injectable()
export class UserCasesGuard implements CanActivate {
  constructor(
    private readonly claims: OwnerClaims,
    @Inject(KEYED_HASH) private readonly keyedHash: KeyedHash,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    if (isPublic(request)) return true;
    const { sub, ...caller } = callerOf(request);
    const own = ownUserId({ sub, ...caller });
    if (own === undefined || !hasOtherCases(own)) return true;
    const body_hash = this.keyedHash(own);
    const command_id = hashJson(['user cases', body_hash]);
    await this.claims.claimCases(own, {
      command_id,
      body_hash,
      actor: sub,
      trace_id: request.mace.trace_id,
    });
    return true;
  }
}
