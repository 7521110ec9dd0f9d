import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { Actor } from '#domain/recorded-event.js';
import type { EpisodeViewDto } from './dto/episode.dto.js';
import { EpisodeAccess } from './episode-access.js';

export class GetEpisode extends Query<EpisodeViewDto> {
  constructor(
    readonly actor: Actor,
    readonly id: string,
  ) {
    super();
  }
}

/** Returns one episode. Only its owner, auditors, the council and admins get its payload (SPEC E4). */
@QueryHandler(GetEpisode)
export class GetEpisodeHandler implements IQueryHandler<GetEpisode> {
  constructor(private readonly access: EpisodeAccess) {}

  async execute({ actor, id }: GetEpisode): Promise<EpisodeViewDto> {
    const episode = await this.access.find(actor, id);
    return {
      episodic_id: episode.episodic_id,
      job_seed: episode.job_seed,
      source: episode.source,
      summary: episode.summary,
      evidence: episode.evidence,
      ...(this.access.seesPayload(actor, episode) ? { payload: episode.payload } : {}),
      created_seeded_ts: episode.created_seeded_ts,
      provenance: episode.provenance,
    };
  }
}
