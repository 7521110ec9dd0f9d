import type { ThreadState } from '#domain/thread/state.js';
import type { ThreadChanged } from '#domain/thread/thread.decider.js';
import type { Executed } from '#event-store/aggregate-store.js';

/** Returns the number of the stream's events after a command, as the command's first answer had it. */
export const versionAfter = ({
  results: [result],
  after,
}: Executed<ThreadState, ThreadChanged>): number => result?.version ?? after.state.eventCount;
