import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { ServiceConfig } from '#platform/config/service-config.js';
import { CONFIG } from '../platform/tokens.js';
import type { SignInWaysDto } from './dto/sign-in.dto.js';

export class SignInWays extends Query<SignInWaysDto> {}

/** Returns the ways to sign in that the settings allow. */
@QueryHandler(SignInWays)
export class SignInWaysHandler implements IQueryHandler<SignInWays> {
  constructor(@Inject(CONFIG) private readonly config: ServiceConfig) {}

  execute(): Promise<SignInWaysDto> {
    const { tokenKeys, openId } = this.config;
    return Promise.resolve({
      links: 'jwtSecret' in tokenKeys,
      openid:
        openId === undefined
          ? null
          : {
              issuer: openId.issuer,
              client_id: openId.clientId,
              scope: openId.scope,
              audience: openId.audience,
            },
    });
  }
}
