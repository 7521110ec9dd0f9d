import type {
  InteractionFinished,
  InteractionRecorded,
  MemoryEvent,
  PromotionReceived,
  RecallAsked,
  RetentionApplied,
} from './events.js';

/** What can be asked of a store. Each is found again in the input event that it leaves (SPEC X1). */
export type MemoryCommand =
  | RecordInteraction
  | Recall
  /** The second step of a promotion, in the target's store (SPEC M12). */
  | ReceivePromotion
  /** The third step, in the session's store (SPEC M12). */
  | FinishInteraction
  /** Forgets what expired in a store that a request of some session reads (SPEC M10). */
  | ApplyRetention;

/** The policy goes with every request; the stream keeps it once. */
export type RecordInteraction = { readonly op: 'record_interaction' } & InteractionRecorded;
export type Recall = { readonly op: 'recall' } & RecallAsked;
export type ReceivePromotion = { readonly op: 'receive_promotion' } & PromotionReceived;
export type FinishInteraction = { readonly op: 'finish_interaction' } & InteractionFinished;
export type ApplyRetention = { readonly op: 'apply_retention' } & RetentionApplied;

/** The command that an input event recorded; decided again on the same state, it gives the same events. */
export function memoryCommandOf(event: MemoryEvent): MemoryCommand {
  switch (event.type) {
    case 'interaction_recorded':
      return { op: 'record_interaction', ...event.data };
    case 'recall_asked':
      return { op: 'recall', ...event.data };
    case 'promotion_received':
      return { op: 'receive_promotion', ...event.data };
    case 'interaction_finished':
      return { op: 'finish_interaction', ...event.data };
    case 'retention_applied':
      return { op: 'apply_retention', ...event.data };
    default:
      throw new TypeError(`${event.type} is an outcome: no command made it alone`);
  }
}
