import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Refusal } from '#domain/errors/refusal.js';
import type { Json, JsonObject } from '#domain/json.js';
import { readersOf } from '../platform/auth/roles.js';
import { Describes, FromRequest, ServiceRequest } from '../platform/http/request.js';
import { LogAccess } from './log-access.js';
import { bodyOf, LogId } from './log-fields.js';

@Describes({
  summary: 'Always refused: a log never changes; add an amendment instead',
  roles: readersOf('log'),
  fails: ['NOT_FOUND', 'IMMUTABLE_FIELD'],
  body: { schema: { type: 'object', additionalProperties: true } },
})
export class ChangeLog extends ServiceRequest<never> {
  @LogId() id!: string;
  @FromRequest(bodyOf) readonly changes!: Json;
}

/** Refuses every change, because a log never changes; it can only be amended (SPEC L3). */
@CommandHandler(ChangeLog)
export class ChangeLogHandler implements ICommandHandler<ChangeLog> {
  constructor(private readonly access: LogAccess) {}

  async execute({ actor, id, changes }: ChangeLog): Promise<never> {
    await this.access.find(actor, id);
    const [field = 'any'] = Object.keys((changes ?? {}) as JsonObject);
    const shown = /^[a-z_]{1,64}$/.test(field) ? field : 'of that name';
    throw new Refusal('IMMUTABLE_FIELD', { field: shown, what: `reflective log ${id}` });
  }
}
