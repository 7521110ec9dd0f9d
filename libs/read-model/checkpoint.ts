import type { LoggedEvent } from '#event-store/event-store.js';

/**
 * The last event before a checkpoint. A log that holds the same event there is the one that was
 * projected, because the event's hash covers its content and all events before it in its stream.
 */
export interface CheckpointEvent {
  readonly position: bigint;
  readonly stream: string;
  readonly number: number;
  readonly hash: string;
}

/** The event's own hash, or its id if another client has appended it without a hash. */
export const hashOf = ({ metadata, id }: Pick<LoggedEvent, 'metadata' | 'id'>): string =>
  metadata.hash || id;

export const checkpointEvent = (event: LoggedEvent): CheckpointEvent => ({
  position: event.position,
  stream: event.stream,
  number: event.number,
  hash: hashOf(event),
});

/** A checkpoint of a read model, with the last event before it. */
export interface Checkpoint {
  readonly position: bigint;
  /** Undefined if an earlier release, which did not keep it, has moved the checkpoint. */
  readonly event: CheckpointEvent | undefined;
}
