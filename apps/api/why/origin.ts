import type { Actor } from '#domain/recorded-event.js';
import type { LoggedEvent } from '#event-store/event-store.js';
import { eventSource } from '../platform/http/event-source.dto.js';
import type { WhyDto, WhySourceDto } from './why-view.js';

/** Where a thing came from, and whether it is the caller's own or one that the caller oversees. */
export interface Origin extends Omit<WhyDto, 'kind' | 'id'> {
  readonly isOwn: boolean;
}

/** Finds where the things of one kind came from. */
export interface OriginFinder {
  /**
   * @param asOf the position of the log at which it is sought; by default its end. @throws Refusal as a read of the thing
   * does: PERMISSION_DENIED, and NOT_FOUND or SEM_NOT_FOUND
   */
  find(actor: Actor, id: string, asOf?: bigint): Promise<Origin>;
}

export const sourceOf = (event: LoggedEvent): WhySourceDto => ({
  type: event.type,
  actor: event.metadata.actor,
  recorded_at: event.metadata.recorded_at,
  event: eventSource(event),
});

/** An origin of which nothing is known yet. */
export const UNKNOWN = {
  source: null,
  request: null,
  approved_by: null,
  episodic_id: null,
  job_seed: null,
  session_id: null,
  promotions: [],
} as const;
