import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { ReadModels } from '../platform/read-models.js';
import { READ_MODELS } from '../platform/tokens.js';
import type { RebuildDto } from './dto/projection.dto.js';

export class RebuildProjection extends Command<RebuildDto> {
  constructor(readonly name: string) {
    super();
  }
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
