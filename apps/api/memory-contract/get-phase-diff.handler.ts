import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { diffOfPhases } from '#domain/memory-contract/phases/trace-diff.js';
import type { Actor } from '#domain/recorded-event.js';
import type { PhaseDiffQuery, StorePath } from './dto/memory-path.dto.js';
import type { PhaseDiffViewDto } from './dto/memory-view.dto.js';
import { StoreReads } from './store-reads.js';

export class GetPhaseDiff extends Query<PhaseDiffViewDto> {
  constructor(
    readonly actor: Actor,
    readonly path: StorePath,
    readonly between: PhaseDiffQuery,
  ) {
    super();
  }
}

/** Returns the changes from one phase of a store to another (SPEC M15). */
@QueryHandler(GetPhaseDiff)
export class GetPhaseDiffHandler implements IQueryHandler<GetPhaseDiff> {
  constructor(private readonly reads: StoreReads) {}

  async execute({ actor, path, between: { from, to } }: GetPhaseDiff): Promise<PhaseDiffViewDto> {
    const state = await this.reads.store(actor, path);
    const { space, owner } = state;
    const diff = diffOfPhases(state, from, to);
    return { space, owner, from_phase_id: from, to_phase_id: to, ...diff };
  }
}
