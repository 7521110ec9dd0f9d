import { Injectable } from '@nestjs/common';
import { isEntityOf, parseKey } from '#domain/canonical-key/canonical-key.js';
import { missing } from '#domain/sem/decide.js';
import { ownUserId, readsEveryOwner } from '#domain/ownership/access.js';
import type { Actor } from '#domain/recorded-event.js';
import { semStream } from '#domain/stream-names.js';
import type { FactEventDto } from '../sem/fact-history-view.js';
import { FactEvents } from '../sem/fact-events.js';
import { FactPermissions } from '../sem/fact-permissions.js';
import { EpisodeOrigin } from './episode-origin.js';
import { type Origin, type OriginFinder, UNKNOWN } from './origin.js';

const EVENTS_AT_ONCE = 50;

/** Finds the write that gave a fact its value, and the request, the episode and the job behind it. */
@Injectable()
export class FactOrigin implements OriginFinder {
  constructor(
    private readonly events: FactEvents,
    private readonly permissions: FactPermissions,
    private readonly episodes: EpisodeOrigin,
  ) {}

  async find(actor: Actor, key: string, asOf?: bigint): Promise<Origin> {
    parseKey(key);
    await this.permissions.requireRead(actor, key);
    const last = await this.events.lastNumber(key, asOf);
    if (last < 0) throw missing(key);
    const thing = { ...UNKNOWN, stream: semStream(key), isOwn: this.isOwn(actor, key) };
    const put = await this.decisiveWrite(actor, key, last);
    if (put?.type !== 'fact_put') return thing;
    const { type, actor: writer, recorded_at, event, request = null, approved_by = null } = put;
    const source = { type, actor: writer, recorded_at, event };
    if (request === null || request.episodic_id === null)
      return { ...thing, source, request, approved_by };
    const place = await this.episodes.placeOf(actor, request.episodic_id);
    return { ...thing, source, request, approved_by, episodic_id: request.episodic_id, ...place };
  }

  /** Returns the write or the deletion that won; undefined if the key was only claimed. */
  private async decisiveWrite(
    actor: Actor,
    key: string,
    last: number,
  ): Promise<FactEventDto | undefined> {
    for (let to = last; to >= 0; to -= EVENTS_AT_ONCE) {
      const page = await this.events.between(actor, key, Math.max(0, to - EVENTS_AT_ONCE + 1), to);
      const found = page.find(({ superseded }) => superseded === false);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  private isOwn(actor: Actor, key: string): boolean {
    if (readsEveryOwner(actor)) return true;
    const { scope, entity_id } = parseKey(key);
    const own = ownUserId(actor);
    return scope === 'user' && own !== undefined && isEntityOf(own, entity_id);
  }
}
