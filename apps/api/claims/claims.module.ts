import { Global, Module } from '@nestjs/common';
import { OwnerClaims } from './owner-claims.js';
import { RequestClaims } from './request-claims.js';

/** Claims that a write may need before it is decided (SPEC I7, I9). */
@Global()
@Module({ providers: [OwnerClaims, RequestClaims], exports: [OwnerClaims, RequestClaims] })
export class ClaimsModule {}
