import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { ReadModels } from '../platform/read-models.js';
import { READ_MODELS } from '../platform/tokens.js';
import { RebuildDto } from './projection-view.js';
import { Text } from '../platform/http/fields.js';
import { Describes, ServiceRequest } from '../platform/http/request.js';

@Describes({
  summary: 'Rebuild a read model beside the live one, then swap',
  roles: { all: ['admin'] },
  answers: [202, RebuildDto],
  fails: ['NOT_FOUND'],
})
export class RebuildProjection extends ServiceRequest<RebuildDto> {
  @Text({ min: 1, max: 64, pattern: /^[a-z_]+$/ }) name!: string;
}

/** Asks the leader to rebuild a read model beside the live one (SPEC X5). */
@CommandHandler(RebuildProjection)
export class RebuildProjectionHandler implements ICommandHandler<RebuildProjection> {
  constructor(@Inject(READ_MODELS) private readonly readModels: ReadModels) {}

  async execute({ name }: RebuildProjection): Promise<RebuildDto> {
    await this.readModels.rebuild(name);
    return { name, rebuilding: true };
  }
}
