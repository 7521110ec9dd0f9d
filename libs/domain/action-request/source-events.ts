import type { DomainEvent } from '../decider.js';

/** The events behind what a view of a request shows, each list in the order of the stream. */
export interface RequestSources<Source> {
  readonly request: Source | null;
  /** Of all votes, also of those on values that were replaced. */
  readonly votes: readonly Source[];
  readonly revisions: readonly Source[];
  /** Of questions and answers. */
  readonly remarks: readonly Source[];
  readonly comments: readonly Source[];
  readonly decision: Source | null;
  readonly execution: Source | null;
}

/**
 * Groups the events of a request's stream by what they record. @param sourceOf returns the part of an event that is
 * kept
 */
export function sourcesIn<Event extends Pick<DomainEvent, 'type'>, Source>(
  events: readonly Event[],
  sourceOf: (event: Event) => Source,
): RequestSources<Source> {
  const of = (...types: readonly string[]): Source[] =>
    events.filter(({ type }) => types.includes(type)).map(sourceOf);
  return {
    request: of('action_requested')[0] ?? null,
    votes: of('vote_cast'),
    revisions: of('proposal_revised'),
    remarks: of('question_asked', 'question_answered'),
    comments: of('comment_added'),
    decision:
      of('request_approved', 'erasure_approved', 'request_rejected', 'request_expired')[0] ?? null,
    execution: of('request_executed', 'execution_refused', 'deletion_event')[0] ?? null,
  };
}
