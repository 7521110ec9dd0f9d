import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { permit } from '#domain/errors/permit.js';
import { mayDelete, sourceOf } from '#domain/sem/access.js';
import type { DeleteFact as DeleteCommand } from '#domain/sem/decide.js';
import { semStream } from '#domain/stream-names.js';
import { onlyAnswer } from '#event-store/aggregate-store.js';
import type { SemStore } from '../platform/stores.js';
import { SEM_STORE } from '../platform/tokens.js';
import { Answer } from '../platform/http/answer.js';
import { Instant } from '../platform/http/fields.js';
import { Describes, WriteRequest } from '../platform/http/request.js';
import { FactWrittenDto } from './fact-view.js';
import { EXAMPLE_KEY, FactKey } from './fact-fields.js';

@Describes({
  summary: 'Hide a fact; the deletion stays in the log',
  roles: { all: ['admin'] },
  path: EXAMPLE_KEY,
  answers: [200, FactWrittenDto],
  fails: ['SEM_NOT_FOUND'],
})
export class DeleteFact extends WriteRequest<FactWrittenDto> {
  @FactKey() readonly key!: string;
  @Instant({ optional: true }) timestamp?: string;
}

@CommandHandler(DeleteFact)
export class DeleteFactHandler implements ICommandHandler<DeleteFact> {
  constructor(@Inject(SEM_STORE) private readonly facts: SemStore) {}

  async execute(deletion: DeleteFact): Promise<Answer<FactWrittenDto>> {
    const { actor, key, timestamp, identity } = deletion;
    permit(mayDelete(actor), `delete ${key}`, 'S5');
    const command: DeleteCommand = {
      type: 'delete',
      source: sourceOf(actor),
      ...(timestamp === undefined ? {} : { timestamp }),
      now: identity.received_at,
    };
    const changed = await this.facts.execute(semStream(key), [command], identity);
    const { version, position } = changed;
    return Answer.written({ ...onlyAnswer(changed), version }, position);
  }
}
