import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Refusal } from '#domain/errors/refusal.js';
import type { Json, JsonObject } from '#domain/json.js';
import type { Actor } from '#domain/recorded-event.js';
import { LogAccess } from './log-access.js';

export class ChangeLog extends Command<never> {
  constructor(
    readonly actor: Actor,
    readonly logId: string,
    readonly changes: Json,
  ) {
    super();
  }
}

/** Refuses every change, because a log never changes; it can only be amended (SPEC L3). */
@CommandHandler(ChangeLog)
export class ChangeLogHandler implements ICommandHandler<ChangeLog> {
  constructor(private readonly access: LogAccess) {}

  async execute({ actor, logId, changes }: ChangeLog): Promise<never> {
    await this.access.find(actor, logId);
    const [field = 'any'] = Object.keys((changes ?? {}) as JsonObject);
    const shown = /^[a-z_]{1,64}$/.test(field) ? field : 'of that name';
    throw new Refusal('IMMUTABLE_FIELD', { field: shown, what: `reflective log ${logId}` });
  }
}
