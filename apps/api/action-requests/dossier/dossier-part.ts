import type { ActionRequested } from '#domain/action-request/events.js';
import type { ActionRequestState } from '#domain/action-request/state.js';
import type { Actor } from '#domain/recorded-event.js';
import type { LoggedEvent } from '#event-store/event-store.js';
import type { FoundCitations } from '../evidence/cited-evidence.js';
import type { WritesAround } from '../evidence/source-events.js';

/** The request that a dossier is about. */
export interface ReviewedRequest {
  readonly viewer: Actor;
  readonly state: ActionRequestState;
  readonly request: ActionRequested;
  /** The event of the proposal. */
  readonly made: LoggedEvent;
  /** Reads the writes of the target at the proposal and now; once, however many parts need them. */
  readonly writes: () => Promise<WritesAround>;
  /** Looks up what the request cites, also once. */
  readonly citations: () => Promise<FoundCitations>;
}

/** A part of the dossier: finds its fields for one request, beside the other parts and at the same time. */
export interface DossierPart<Fields> {
  of(reviewed: ReviewedRequest): Promise<Fields>;
}
