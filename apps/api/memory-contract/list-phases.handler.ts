import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { phasesView } from '#domain/memory-contract/trace/view.js';
import type { Actor } from '#domain/recorded-event.js';
import type { StorePath } from './dto/memory-path.dto.js';
import type { PhasesDto } from './dto/memory-view.dto.js';
import { StoreReads } from './store-reads.js';

export class ListPhases extends Query<PhasesDto> {
  constructor(
    readonly actor: Actor,
    readonly path: StorePath,
  ) {
    super();
  }
}

/** Lists the phases of a store, oldest first (SPEC M14). */
@QueryHandler(ListPhases)
export class ListPhasesHandler implements IQueryHandler<ListPhases> {
  constructor(private readonly reads: StoreReads) {}

  async execute({ actor, path }: ListPhases): Promise<PhasesDto> {
    const state = await this.reads.store(actor, path);
    return { space: state.space, owner: state.owner, phases: phasesView(state) };
  }
}
