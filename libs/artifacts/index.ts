import type { ArtifactStore } from './artifact-store.js';
import { FileArtifacts } from './file-artifacts.js';
import { s3PlaceOf } from './s3-place.js';

export { folderId } from './folder-id.js';
export {
  ArtifactBroken,
  type ArtifactStore,
  ArtifactsUnavailable,
  type ArtifactUrl,
} from './artifact-store.js';

/** The folder of a data directory that holds its artifacts. */
export const ARTIFACTS_FOLDER = 'artifacts';

/**
 * Opens the store that a URL names; without a URL, a store of files in a folder. @throws TypeError for a
 * URL other than `s3://bucket` or `s3://bucket/prefix`.
 */
export async function openArtifacts(
  folder: string,
  url: string | undefined,
): Promise<ArtifactStore> {
  if (url === undefined) return new FileArtifacts(folder);
  const place = s3PlaceOf(url);
  if (place === undefined) throw new TypeError('not s3://bucket/prefix');
  // The module is imported only if it is used, because its client library is large.
  const { S3Artifacts } = await import('./s3-artifacts.js');
  return new S3Artifacts(place);
}
