import type { Decider } from '../decider.js';
import {
  type CheckpointKept,
  type CheckpointMade,
  type CheckpointNotKept,
  type LogCheckpointEvent,
  logCheckpointSchemas,
  type PlaceProblem,
} from './events.js';

/** What became of the file at one place. */
export interface KeptAt {
  readonly place: string;
  /** When the place took the file; null if it has not. */
  readonly kept_at: string | null;
  readonly locked_until: string | null;
  /** Why it did not take the file when it was last asked. */
  readonly problem: PlaceProblem | null;
}

export interface LogCheckpointState {
  /** Null before the checkpoint is made. */
  readonly made: CheckpointMade | null;
  readonly places: readonly KeptAt[];
}

type LogCheckpointCommand =
  | ({ readonly type: 'make' } & CheckpointMade)
  | ({ readonly type: 'keep' } & CheckpointKept)
  | ({ readonly type: 'fail_to_keep' } & CheckpointNotKept);

/** Returns the places of a new checkpoint. */
export const placesOf = ({ places }: CheckpointMade): readonly KeptAt[] =>
  places.map((place) => ({ place, kept_at: null, locked_until: null, problem: null }));

/** Returns the places after one of them took the file, or did not. */
export const placesAfter = (
  places: readonly KeptAt[],
  event: Exclude<LogCheckpointEvent, { type: 'checkpoint_made' }>,
): readonly KeptAt[] =>
  places.map((known) => {
    if (known.place !== event.data.place) return known;
    if (event.type === 'checkpoint_not_kept') return { ...known, problem: event.data.problem };
    const { place, at, locked_until } = event.data;
    return { place, kept_at: at, locked_until, problem: null };
  });

function decide(
  command: LogCheckpointCommand,
  { made, places }: LogCheckpointState,
): readonly LogCheckpointEvent[] {
  if (command.type === 'make') {
    const { type: _, ...data } = command;
    return made === null ? [{ type: 'checkpoint_made', data }] : [];
  }
  const known = places.find(({ place }) => place === command.place);
  if (known === undefined || known.kept_at !== null) return [];
  if (command.type === 'keep') {
    const { type: _, ...data } = command;
    return [{ type: 'checkpoint_kept', data }];
  }
  const { type: _, ...data } = command;
  // The place is asked again and again, and only what is new is recorded.
  return known.problem === data.problem ? [] : [{ type: 'checkpoint_not_kept', data }];
}

function commandOf(event: LogCheckpointEvent): LogCheckpointCommand {
  switch (event.type) {
    case 'checkpoint_made':
      return { type: 'make', ...event.data };
    case 'checkpoint_kept':
      return { type: 'keep', ...event.data };
    case 'checkpoint_not_kept':
      return { type: 'fail_to_keep', ...event.data };
  }
}

/** The decider of `checkpoint-<id>`. A checkpoint is made once, and each place takes its file once. */
export const logCheckpointDecider: Decider<
  LogCheckpointState,
  LogCheckpointCommand,
  LogCheckpointEvent
> = {
  category: 'checkpoint',
  schemas: logCheckpointSchemas,
  initialState: () => ({ made: null, places: [] }),
  evolve: (state, event) =>
    event.type === 'checkpoint_made'
      ? { made: event.data, places: placesOf(event.data) }
      : { ...state, places: placesAfter(state.places, event) },
  decide,
  commandOf,
  resultOf: () => null,
};
