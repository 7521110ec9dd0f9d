import { Inject, Injectable } from '@nestjs/common';
import { Refusal } from '#domain/errors/refusal.js';
import type { Actor } from '#domain/recorded-event.js';
import { idOfRequestStream } from '#domain/stream-names.js';
import { readRecorded } from '#event-store/aggregate-store.js';
import type { EventStore, LoggedEvent } from '#event-store/event-store.js';
import type { Episode } from '#projections/episodes/queries.js';
import { JobQueries } from '#projections/jobs/queries.js';
import { EpisodeAccess } from '../episodes/episode-access.js';
import { EVENT_STORE } from '../platform/tokens.js';
import { type Origin, type OriginFinder, sourceOf, UNKNOWN } from './origin.js';

/** The job and the session in which something arose; null where it arose in none, or where the caller may not know. */
export interface Place {
  readonly job_seed: string | null;
  readonly session_id: string | null;
}

const NOWHERE: Place = { job_seed: null, session_id: null };
const REQUEST = 'request-';

/** Finds the event that wrote an episode, and its job and session, or the request that it belongs to. */
@Injectable()
export class EpisodeOrigin implements OriginFinder {
  constructor(
    @Inject(EVENT_STORE) private readonly eventStore: EventStore,
    private readonly access: EpisodeAccess,
    private readonly jobs: JobQueries,
  ) {}

  async find(actor: Actor, id: string, asOf?: bigint): Promise<Origin> {
    const episode = await this.access.find(actor, id);
    const { stream, number } = episode;
    const written = await eventAt(this.eventStore, stream, number);
    if (isAfter(written, asOf)) throw new Refusal('NOT_FOUND', { what: 'episode', id });
    const request_id = stream.startsWith(REQUEST) ? idOfRequestStream(stream) : null;
    return {
      ...UNKNOWN,
      ...{ stream, isOwn: this.access.seesPayload(actor, episode) },
      source: sourceOf(written),
      request: request_id === null ? null : { request_id, episodic_id: id, justification: null },
      episodic_id: id,
      ...(await this.placeIn(actor, episode)),
    };
  }

  /** Returns where an episode arose; nowhere if the caller may not see the episode. */
  async placeOf(actor: Actor, episodicId: string): Promise<Place> {
    try {
      return await this.placeIn(actor, await this.access.find(actor, episodicId));
    } catch (cause) {
      if (cause instanceof Refusal && cause.code !== 'INTEGRITY_FAILURE') return NOWHERE;
      throw cause;
    }
  }

  private async placeIn(actor: Actor, episode: Episode): Promise<Place> {
    if (episode.stream.startsWith(REQUEST)) return NOWHERE;
    const { job_seed } = episode;
    if (!this.access.seesPayload(actor, episode)) return { ...NOWHERE, job_seed };
    const job = await this.jobs.get(job_seed);
    return { job_seed, session_id: job?.session_id ?? null };
  }
}

/** True for an event that the log did not have yet at a position. */
export const isAfter = ({ position }: LoggedEvent, asOf: bigint | undefined): boolean =>
  asOf !== undefined && position > asOf;

/** Returns one event of a stream. @throws Refusal NOT_FOUND if the stream ends before it */
export async function eventAt(
  eventStore: EventStore,
  stream: string,
  number: number,
): Promise<LoggedEvent> {
  for await (const event of readRecorded(eventStore, stream, { from: number, to: number }))
    return event;
  throw new Refusal('NOT_FOUND', { what: 'event', id: `${number} of ${stream}` });
}
