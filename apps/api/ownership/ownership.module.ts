import { Global, Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { JobAccess } from './job-access.js';
import { OwnerClaims } from './owner-claims.js';
import { UserCasesGuard } from './user-cases.guard.js';

/** Knows to whom slugs, user ids and jobs belong (SPEC I9). */
@Global()
@Module({
  providers: [JobAccess, OwnerClaims, { provide: APP_GUARD, useClass: UserCasesGuard }],
  exports: [JobAccess, OwnerClaims],
})
export class OwnershipModule {}
