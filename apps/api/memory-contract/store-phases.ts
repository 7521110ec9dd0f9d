import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { diffOfPhases } from '#domain/memory-contract/phases/trace-diff.js';
import { PhaseDiffViewDto, PhasesDto } from './memory-view.js';
import { Moments } from '../moments/moments.js';
import { StoreReads } from './store-reads.js';
import { Answer } from '../platform/http/answer.js';
import { At, Text } from '../platform/http/fields.js';
import { Describes } from '../platform/http/request.js';
import { STORE_READERS, StoreRead } from './store-read.js';
import { phasesView } from '#domain/memory-contract/trace/view.js';

@Describes({
  summary: 'The phases of a store, oldest first',
  roles: STORE_READERS,
  answers: [200, PhasesDto],
  fails: ['NOT_FOUND'],
})
export class ListPhases extends StoreRead<Answer<PhasesDto>> {
  @At() at?: string;
}

@QueryHandler(ListPhases)
export class ListPhasesHandler implements IQueryHandler<ListPhases> {
  constructor(
    private readonly reads: StoreReads,
    private readonly moments: Moments,
  ) {}

  async execute(asked: ListPhases): Promise<Answer<PhasesDto>> {
    const position = await this.moments.positionAt(asked.at);
    const state = await this.reads.store(asked, { position });
    const { space, owner } = state;
    return Answer.asOf({ space, owner, phases: phasesView(state) }, position);
  }
}

@Describes({
  summary: 'The changes from one phase to another',
  roles: STORE_READERS,
  answers: [200, PhaseDiffViewDto],
  fails: ['NOT_FOUND'],
})
export class GetPhaseDiff extends StoreRead<Answer<PhaseDiffViewDto>> {
  @Text({ min: 1, max: 64 }) from!: string;
  @Text({ min: 1, max: 64 }) to!: string;
  @At() at?: string;
}

@QueryHandler(GetPhaseDiff)
export class GetPhaseDiffHandler implements IQueryHandler<GetPhaseDiff> {
  constructor(
    private readonly reads: StoreReads,
    private readonly moments: Moments,
  ) {}

  async execute(asked: GetPhaseDiff): Promise<Answer<PhaseDiffViewDto>> {
    const { from, to } = asked;
    const position = await this.moments.positionAt(asked.at);
    const state = await this.reads.store(asked, { position });
    const { space, owner } = state;
    const diff = diffOfPhases(state, from, to);
    const shown = { space, owner, from_phase_id: from, to_phase_id: to, ...diff };
    return Answer.asOf(shown, position);
  }
}
