import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { Describes } from '../platform/http/request.js';
import { Origins } from './origins.js';
import { ABOUT, AboutThing } from './why-fields.js';
import { WhyDto } from './why-view.js';

@Describes({
  ...ABOUT,
  summary: 'Where a fact, an episode, an item or a note came from: event, request, job, session',
  answers: [200, WhyDto],
  reads: ['episodes', 'jobs', 'memory_items'],
})
export class ExplainWhy extends AboutThing<WhyDto> {}

@QueryHandler(ExplainWhy)
export class ExplainWhyHandler implements IQueryHandler<ExplainWhy> {
  constructor(private readonly origins: Origins) {}

  async execute({ actor, kind, id }: ExplainWhy): Promise<WhyDto> {
    const { isOwn: _, ...origin } = await this.origins.find(actor, kind, id);
    return { kind, id, ...origin };
  }
}
