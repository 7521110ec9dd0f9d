import { Global, Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { OwnerClaims } from './owner-claims.js';
import { RequestClaims } from './request-claims.js';
import { UserCasesGuard } from './user-cases.guard.js';

/** Claims that a write may need before it is decided (SPEC I7, I9). */
@Global()
@Module({
  providers: [OwnerClaims, RequestClaims, { provide: APP_GUARD, useClass: UserCasesGuard }],
  exports: [OwnerClaims, RequestClaims],
})
export class ClaimsModule {}
