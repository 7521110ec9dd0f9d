import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { phasesView } from '#domain/memory-contract/trace/view.js';
import { PhasesDto } from './memory-view.js';
import { StoreReads } from './store-reads.js';
import { Describes } from '../platform/http/request.js';
import { STORE_READERS, StoreRead } from './store-read.js';

@Describes({
  summary: 'The phases of a store, oldest first (SPEC M14)',
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
