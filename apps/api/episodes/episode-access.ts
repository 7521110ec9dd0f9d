import { Injectable } from '@nestjs/common';
import { permit } from '#domain/errors/permit.js';
import { hasRole, mayReadJob, ownUserId, userFor } from '#domain/ownership/access.js';
import { sameUser } from '#domain/canonical-key/canonical-key.js';
import type { Actor } from '#domain/recorded-event.js';
import { type Episode, EpisodeQueries, type EpisodesQuery } from '#projections/episodes/queries.js';

export const seesAllEpisodes = (actor: Actor): boolean =>
  hasRole(actor, 'admin', 'council', 'auditor');

const ownerOf = ({ owner_sub, owner_user_id }: Episode) => ({
  sub: owner_sub,
  user_id: owner_user_id,
});

/** Who sees which episodes, and how much of them (SPEC E2, E4). */
@Injectable()
export class EpisodeAccess {
  constructor(private readonly queries: EpisodeQueries) {}

  /** An agent's token without a user acts for the user that it names, or of the job that it reads for. */
  visibleTo(actor: Actor, named: string | undefined): EpisodesQuery['visibleTo'] {
    return seesAllEpisodes(actor) ? 'all' : { userId: userFor(actor, named) };
  }

  /** @throws Refusal PERMISSION_DENIED for an episode of another user (SPEC E2). */
  async find(actor: Actor, episodicId: string): Promise<Episode | undefined> {
    const episode = await this.queries.get(episodicId);
    if (episode === undefined) return undefined;
    const { owner_user_id: user } = episode;
    const own = ownUserId(actor);
    const visible =
      user === null ||
      seesAllEpisodes(actor) ||
      mayReadJob(actor, ownerOf(episode)) ||
      (own !== undefined && sameUser(own, user));
    permit(visible, `read episode ${episodicId}`, 'E2');
    return episode;
  }

  /** Whether a caller gets the payload: it judges, or it is its own (SPEC E4). */
  seesPayload(actor: Actor, episode: Episode): boolean {
    return mayReadJob(actor, ownerOf(episode));
  }
}
