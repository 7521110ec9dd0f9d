import type {
  Amendment,
  CouncilEvent,
  Feedback,
  Label,
  LogWritten,
  ReflectiveLogEvent,
  ReviewRequest,
  Tags,
} from './events.js';

export interface ReflectiveLogState {
  readonly stream: string;
  /** The log; null before `reflective_log_written`. It never changes afterwards. */
  readonly written: LogWritten | null;
  readonly amendments: readonly Amendment[];
  readonly feedback: readonly Feedback[];
  readonly labels: readonly Label[];
  readonly tags: readonly Tags[];
  /** Missing before the first one, so that the states of earlier releases keep their hash. */
  readonly council_events?: readonly CouncilEvent[];
  /** The number of requested reviews; `open_review` is the one that is not resolved yet. */
  readonly reviews: number;
  readonly open_review: ReviewRequest | null;
  /** The id of the quarantine whose row is not restored yet (SPEC L5). */
  readonly to_heal: string | null;
}

export const initialReflectiveLog = (stream: string): ReflectiveLogState => ({
  stream,
  written: null,
  amendments: [],
  feedback: [],
  labels: [],
  tags: [],
  reviews: 0,
  open_review: null,
  to_heal: null,
});

export function evolveReflectiveLog(
  state: ReflectiveLogState,
  event: ReflectiveLogEvent,
): ReflectiveLogState {
  switch (event.type) {
    case 'reflective_log_written':
      return { ...state, written: event.data };
    case 'pii_redacted':
      return state;
    case 'amendment_added':
      return { ...state, amendments: [...state.amendments, event.data] };
    case 'feedback_added':
      return { ...state, feedback: [...state.feedback, event.data] };
    case 'label_added':
      return { ...state, labels: [...state.labels, event.data] };
    case 'tags_added':
      return { ...state, tags: [...state.tags, event.data] };
    case 'council_event':
      return { ...state, council_events: [...(state.council_events ?? []), event.data] };
    case 'review_requested':
      return { ...state, reviews: state.reviews + 1, open_review: event.data };
    case 'review_resolved':
      return { ...state, open_review: null };
    case 'log_quarantined':
      return { ...state, to_heal: event.data.quarantine_id };
    case 'log_healed':
      return { ...state, to_heal: null };
  }
}

/** True if the log lists this event of an action request (SPEC G3). */
export const isListed = (
  { council_events = [] }: ReflectiveLogState,
  { stream, event_number }: CouncilEvent,
): boolean =>
  council_events.some((listed) => listed.stream === stream && listed.event_number === event_number);
