import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { Actor } from '#domain/recorded-event.js';
import type { SessionDto } from './dto/sign-in.dto.js';

export class WhoAmI extends Query<SessionDto> {
  constructor(
    readonly actor: Actor,
    readonly tokenExpiresAt: number,
  ) {
    super();
  }
}

/** Returns who the caller is, as the service has verified it. */
@QueryHandler(WhoAmI)
export class WhoAmIHandler implements IQueryHandler<WhoAmI> {
  execute({ actor, tokenExpiresAt }: WhoAmI): Promise<SessionDto> {
    const { sub, roles, user_id } = actor;
    return Promise.resolve({
      sub,
      roles: roles as SessionDto['roles'],
      user_id: user_id ?? null,
      expires_at: new Date(tokenExpiresAt).toISOString(),
    });
  }
}
