import { s3PlaceOf } from '#artifacts/s3-place.js';
import { folderOf } from '#platform/config/checkpoint-config.js';
import { FolderCheckpoints } from './folder-checkpoints.js';
import type { CheckpointPlace } from './place.js';

/** The folder of a data directory that has the files of checkpoints, and its name as a place. */
export const CHECKPOINTS_FOLDER = 'checkpoints';
export const IN_DATA_DIR = 'data_dir';

/** Opens the place that a URL of `MACE_CHECKPOINT_PLACE` names. @throws TypeError for any other text */
export async function openPlace(
  url: string,
  lockDays: number | undefined,
): Promise<CheckpointPlace> {
  const folder = folderOf(url);
  if (folder !== undefined) return new FolderCheckpoints(folder);
  const bucket = s3PlaceOf(url);
  if (bucket === undefined) throw new TypeError('not a place of checkpoints');
  // The module is imported only if it is used, because its client library is large.
  const { S3Checkpoints } = await import('./s3-checkpoints.js');
  return new S3Checkpoints(bucket, { lockDays });
}
