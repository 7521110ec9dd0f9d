import type {
  InteractionFinished,
  InteractionRecorded,
  MemoryEvent,
  PromotionReceived,
  RecallAsked,
  RetentionApplied,
} from './events.js';

/** The commands of a store. Each can be rebuilt from the input event that records it (SPEC X1). */
export type MemoryCommand =
  | RecordInteraction
  | Recall
  /** The second step of a promotion, which the target's store decides (SPEC M12). */
  | ReceivePromotion
  /** The third and last step of a promotion, which the session's store decides (SPEC M12). */
  | FinishInteraction
  /** Deletes the expired items of this store, when a request in a session reads from it (SPEC M10). */
  | ApplyRetention;

/** Every request carries its policy; the stream records each policy once. */
export type RecordInteraction = { readonly op: 'record_interaction' } & InteractionRecorded;
export type Recall = { readonly op: 'recall' } & RecallAsked;
export type ReceivePromotion = { readonly op: 'receive_promotion' } & PromotionReceived;
export type FinishInteraction = { readonly op: 'finish_interaction' } & InteractionFinished;
export type ApplyRetention = { readonly op: 'apply_retention' } & RetentionApplied;

/** Returns the command with this operation that an input event recorded. @throws TypeError for another one */
export function recordedCommand<Op extends MemoryCommand['op']>(
  op: Op,
  input: MemoryEvent,
): CommandWith<Op> {
  const command = memoryCommandOf(input);
  if (isWith(op, command)) return command;
  throw new TypeError(`${input.type} does not record ${op}`);
}
type CommandWith<Op> = Extract<MemoryCommand, { readonly op: Op }>;
const isWith = <Op>(op: Op, command: MemoryCommand): command is CommandWith<Op> =>
  command.op === op;

/**
 * Returns the command that an input event recorded. Deciding the command again on the same state gives
 * the same events. @throws TypeError for an outcome.
 */
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
      throw new TypeError(`${event.type} is an outcome, not an input`);
  }
}
