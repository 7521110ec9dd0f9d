import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { Actor } from '#domain/recorded-event.js';
import type { WhyDto, WhyQuery } from './dto/why.dto.js';
import { Origins } from './origins.js';

export class ExplainWhy extends Query<WhyDto> {
  constructor(
    readonly actor: Actor,
    readonly asked: WhyQuery,
  ) {
    super();
  }
}

/** Returns where something in memory came from. */
@QueryHandler(ExplainWhy)
export class ExplainWhyHandler implements IQueryHandler<ExplainWhy> {
  constructor(private readonly origins: Origins) {}

  async execute({ actor, asked: { kind, id } }: ExplainWhy): Promise<WhyDto> {
    const { isOwn: _, ...origin } = await this.origins.find(actor, { kind, id });
    return { kind, id, ...origin };
  }
}
