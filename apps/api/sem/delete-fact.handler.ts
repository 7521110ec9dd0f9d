import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { parseKey } from '#domain/canonical-key/canonical-key.js';
import { permit } from '#domain/errors/permit.js';
import type { Actor } from '#domain/recorded-event.js';
import { mayDelete, sourceOf } from '#domain/sem/access.js';
import type { DeleteFact as DeleteCommand, FactChanged } from '#domain/sem/decide.js';
import { type SemState, semStream } from '#domain/sem/state.js';
import type { Executed } from '#event-store/aggregate-store.js';
import type { RequestIdentity } from '../platform/http/identity.decorator.js';
import type { SemStore } from '../platform/stores.js';
import { SEM_STORE } from '../platform/tokens.js';

export class DeleteFact extends Command<Executed<SemState, FactChanged>> {
  constructor(
    readonly actor: Actor,
    readonly key: string,
    readonly timestamp: string | undefined,
    readonly identity: RequestIdentity,
  ) {
    super();
  }
}

@CommandHandler(DeleteFact)
export class DeleteFactHandler implements ICommandHandler<DeleteFact> {
  constructor(@Inject(SEM_STORE) private readonly facts: SemStore) {}

  execute({
    actor,
    key,
    timestamp,
    identity,
  }: DeleteFact): Promise<Executed<SemState, FactChanged>> {
    parseKey(key);
    permit(mayDelete(actor), `delete ${key}`, 'S5');
    const command: DeleteCommand = {
      type: 'delete',
      source: sourceOf(actor),
      ...(timestamp === undefined ? {} : { timestamp }),
      now: identity.received_at,
    };
    return this.facts.execute(semStream(key), [command], identity);
  }
}
