import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { Moments } from '../moments/moments.js';
import { Answer } from '../platform/http/answer.js';
import { Describes } from '../platform/http/request.js';
import { ABOUT, AboutThing, type WhyKind } from './why-fields.js';
import { WhyDto } from './why-view.js';
import { Injectable } from '@nestjs/common';
import type { Actor } from '#domain/recorded-event.js';
import { EpisodeOrigin } from './episode-origin.js';
import { FactOrigin } from './fact-origin.js';
import { ItemOrigin } from './item-origin.js';
import { NoteOrigin } from './note-origin.js';
import type { Origin, OriginFinder } from './origin.js';

/** Finds where anything in memory came from. */
@Injectable()
export class Origins {
  private readonly finders: Readonly<Record<WhyKind, OriginFinder>>;

  constructor(fact: FactOrigin, episode: EpisodeOrigin, memory_item: ItemOrigin, note: NoteOrigin) {
    this.finders = { fact, episode, memory_item, note };
  }

  /** @throws Refusal as a read of the thing does */
  find(actor: Actor, kind: WhyKind, id: string, asOf?: bigint): Promise<Origin> {
    return this.finders[kind].find(actor, id, asOf);
  }
}

@Describes({
  ...ABOUT,
  summary: 'Where a fact, an episode, an item or a note came from: event, request, job, session',
  answers: [200, WhyDto],
  reads: ['episodes', 'jobs', 'memory_items'],
})
export class ExplainWhy extends AboutThing<WhyDto> {}

@QueryHandler(ExplainWhy)
export class ExplainWhyHandler implements IQueryHandler<ExplainWhy> {
  constructor(
    private readonly origins: Origins,
    private readonly moments: Moments,
  ) {}

  async execute({ actor, kind, id, at }: ExplainWhy): Promise<Answer<WhyDto>> {
    const asOf = await this.moments.positionAt(at, 'episodes', 'memory_items');
    const { isOwn: _, ...origin } = await this.origins.find(actor, kind, id, asOf);
    return Answer.asOf({ kind, id, ...origin }, asOf);
  }
}
