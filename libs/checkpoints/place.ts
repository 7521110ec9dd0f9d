import type { PlaceProblem } from '#domain/log-checkpoint/events.js';

/** The file of a checkpoint. */
export interface CheckpointFile {
  /** Its name at each place. */
  readonly name: string;
  /** The SHA-256 of its bytes, as hex digits, and their number. */
  readonly sha256: string;
  readonly bytes: number;
}

/** Where files of checkpoints are kept. */
export interface CheckpointPlace {
  /**
   * Keeps a copy of a file on this machine, durably; a copy that is there already stays. Returns the time until which
   * nobody can delete the copy, if the place locks it. @throws PlaceFailed
   */
  keep(file: CheckpointFile, path: string): Promise<{ readonly locked_until: string | null }>;
  /** Returns the bytes of a file; undefined if the place does not have them as they were. @throws PlaceFailed */
  read(file: CheckpointFile): Promise<AsyncIterable<Buffer> | undefined>;
}

/** Thrown if a place did not take a file, or could not be asked for it. */
export class PlaceFailed extends Error {
  override readonly name = 'PlaceFailed';

  constructor(
    readonly problem: PlaceProblem,
    options?: ErrorOptions,
  ) {
    super(problem, options);
  }
}

/** The name of the file of a checkpoint, whose first part is when it was made. */
export const fileNameOf = (checkpoint: {
  readonly checkpoint_id: string;
  readonly created_at: string;
}): string =>
  `${checkpoint.created_at.replaceAll(':', '-')}-${checkpoint.checkpoint_id}.checkpoint`;
