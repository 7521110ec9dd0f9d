import { Injectable } from '@nestjs/common';
import { permit } from '#domain/errors/permit.js';
import { Refusal } from '#domain/errors/refusal.js';
import { hasRole, mayReadJob, ownUserId, userFor } from '#domain/ownership/access.js';
import { sameUser } from '#domain/canonical-key/canonical-key.js';
import type { Actor } from '#domain/recorded-event.js';
import { type Episode, EpisodeQueries, type EpisodesQuery } from '#projections/episodes/queries.js';
import { LogEnd } from '../platform/log-end.js';

export const seesAllEpisodes = (actor: Actor): boolean =>
  hasRole(actor, 'admin', 'council', 'auditor');

const ownerOf = ({ owner_sub, owner_user_id }: Episode) => ({
  sub: owner_sub,
  user_id: owner_user_id,
});

/**
 * True if the actor may act for the user. An agent's token without a user may act for any user that it
 * names, as in a query (SPEC I9).
 */
function mayActFor(actor: Actor, user: string): boolean {
  const own = ownUserId(actor);
  return own === undefined ? hasRole(actor, 'agent') : sameUser(own, user);
}

/** True if the actor may find an episode by its id (SPEC E2). */
const isVisible = (actor: Actor, { owner_user_id: user }: Episode): boolean =>
  user === null || seesAllEpisodes(actor) || mayActFor(actor, user);

/** Decides which episodes a caller sees, and whether with their payload (SPEC E2, E4). */
@Injectable()
export class EpisodeAccess {
  constructor(
    private readonly queries: EpisodeQueries,
    private readonly logEnd: LogEnd,
  ) {}

  /**
   * Returns the filter for visible episodes. An agent's token without a user acts for the user that the
   * request names or, if the request does not name a user, for the user of the job that the request
   * names.
   */
  visibleTo(actor: Actor, named: string | undefined): EpisodesQuery['visibleTo'] {
    return seesAllEpisodes(actor) ? 'all' : { userId: userFor(actor, named) };
  }

  /** @throws Refusal NOT_FOUND, PERMISSION_DENIED for an episode of another user (SPEC E2). */
  async find(actor: Actor, id: string): Promise<Episode> {
    const episode = (await this.queries.get(id)) ?? (await this.justWritten(id));
    if (episode === undefined) throw new Refusal('NOT_FOUND', { what: 'episode', id });
    permit(isVisible(actor, episode), `read episode ${id}`, 'E2');
    return episode;
  }

  /** Returns those of these ids that are of episodes which the actor may find. */
  async found(actor: Actor, ids: readonly string[]): Promise<ReadonlySet<string>> {
    if (ids.length === 0) return new Set();
    let episodes = await this.queries.byIds(ids);
    if (episodes.length < ids.length) {
      await this.logEnd.reach('episodes');
      episodes = await this.queries.byIds(ids);
    }
    const visible = episodes.filter((episode) => isVisible(actor, episode));
    return new Set(visible.map(({ episodic_id }) => episodic_id));
  }

  /**
   * Returns an episode whose write is not projected yet. A caller who knows the id may ask for the
   * episode before that. Fails with `EventStoreUnavailable`, because only the log's end shows that an
   * episode does not exist.
   */
  private async justWritten(id: string): Promise<Episode | undefined> {
    await this.logEnd.reach('episodes');
    return this.queries.get(id);
  }

  /** True for auditors, the council, admins and the episode's owner, who get the payload (SPEC E4). */
  seesPayload(actor: Actor, episode: Episode): boolean {
    return mayReadJob(actor, ownerOf(episode));
  }
}
