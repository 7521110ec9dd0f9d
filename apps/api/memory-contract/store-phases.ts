import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { diffOfPhases } from '#domain/memory-contract/phases/trace-diff.js';
import { PhaseDiffViewDto, PhasesDto } from './memory-view.js';
import { StoreReads } from './store-reads.js';
import { Text } from '../platform/http/fields.js';
import { Describes } from '../platform/http/request.js';
import { STORE_READERS, StoreRead } from './store-read.js';
import { phasesView } from '#domain/memory-contract/trace/view.js';

@Describes({
  summary: 'The phases of a store, oldest first',
  roles: STORE_READERS,
  answers: [200, PhasesDto],
  fails: ['NOT_FOUND'],
})
export class ListPhases extends StoreRead<PhasesDto> {}

@QueryHandler(ListPhases)
export class ListPhasesHandler implements IQueryHandler<ListPhases> {
  constructor(private readonly reads: StoreReads) {}

  async execute(asked: ListPhases): Promise<PhasesDto> {
    const state = await this.reads.store(asked);
    return { space: state.space, owner: state.owner, phases: phasesView(state) };
  }
}

@Describes({
  summary: 'The changes from one phase to another',
  roles: STORE_READERS,
  answers: [200, PhaseDiffViewDto],
  fails: ['NOT_FOUND'],
})
export class GetPhaseDiff extends StoreRead<PhaseDiffViewDto> {
  @Text({ min: 1, max: 64 }) from!: string;
  @Text({ min: 1, max: 64 }) to!: string;
}

@QueryHandler(GetPhaseDiff)
export class GetPhaseDiffHandler implements IQueryHandler<GetPhaseDiff> {
  constructor(private readonly reads: StoreReads) {}

  async execute(asked: GetPhaseDiff): Promise<PhaseDiffViewDto> {
    const { from, to } = asked;
    const state = await this.reads.store(asked);
    const { space, owner } = state;
    const diff = diffOfPhases(state, from, to);
    return { space, owner, from_phase_id: from, to_phase_id: to, ...diff };
  }
}
