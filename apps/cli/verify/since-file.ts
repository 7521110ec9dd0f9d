import type { SinceCheckpoint } from '#event-store/since-checkpoint.js';
import {
  type CheckpointProblem,
  readCheckpoint,
  type SignedCheckpoint,
} from '../checkpoint/checkpoint-file.js';
import { CommandFailure, couldNotCheck, EXIT } from '../exit-code.js';

/** A checkpoint file that was read for `--since`. */
export interface Since {
  readonly comparison: SinceCheckpoint;
  readonly statement: Pick<SignedCheckpoint, 'created_at' | 'position' | 'streams' | 'key_id'> & {
    readonly file: string;
    /** True if the reader named the keys to trust, and one of them signed the file. */
    readonly pinned: boolean;
  };
}

const SAYS: Readonly<Record<CheckpointProblem, string>> = {
  not_a_checkpoint: 'the first line is not the statement of a checkpoint',
  wrong_signature: 'the first line was edited: its signature is not valid for what it says',
  other_key: 'the first line is signed by a key that is not among the given ones',
  wrong_heads: 'a line was edited, deleted, inserted or moved, or the file was cut off',
  no_line_feed: 'the last line has no line feed: the file was cut off',
};

/**
 * Reads the checkpoint file of `--since`. The command ends with exit code 1 if the file was edited or has
 * another signer, and with 2 if it cannot be read.
 */
export async function sinceFile(
  file: string,
  keys: ReadonlySet<string> | undefined,
): Promise<Since> {
  const report = await readCheckpoint(file, keys).catch((error: Error) => {
    throw couldNotCheck(`The checkpoint ${file} cannot be read: ${error.message}.`);
  });
  if ('problem' in report)
    throw new CommandFailure(EXIT.broken, `BROKEN  ${file}\n        ${SAYS[report.problem]}`);
  // The rules are loaded only here, because importing them above would slow down every other command.
  const { SinceCheckpoint } = await import('#event-store/since-checkpoint.js');
  const { created_at, position, streams, key_id } = report.checkpoint;
  return {
    comparison: new SinceCheckpoint(report.heads),
    statement: { file, created_at, position, streams, key_id, pinned: keys !== undefined },
  };
}
