import type { ArtifactStore } from './artifact-store.js';
import { FileArtifacts } from './file-artifacts.js';

export { folderId } from './folder-id.js';
export {
  ArtifactBroken,
  type ArtifactStore,
  ArtifactsUnavailable,
  type ArtifactUrl,
} from './artifact-store.js';

/** The folder of a data directory that holds its artifacts. */
export const ARTIFACTS_FOLDER = 'artifacts';

const S3_URL = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/([A-Za-z0-9!_.*'()/-]*))?$/;

/** True if a URL names a bucket, with or without a prefix. */
export const isArtifactsUrl = (url: string): boolean => S3_URL.test(url);

/**
 * Opens the store that a URL names; without a URL, a store of files in a folder. @throws TypeError for a
 * URL other than `s3://bucket` or `s3://bucket/prefix`.
 */
export async function openArtifacts(
  folder: string,
  url: string | undefined,
): Promise<ArtifactStore> {
  if (url === undefined) return new FileArtifacts(folder);
  const [, bucket, prefix = ''] = S3_URL.exec(url) ?? [];
  if (bucket === undefined) throw new TypeError('not s3://bucket/prefix');
  // The module is imported only if it is used, because its client library is large.
  const { S3Artifacts } = await import('./s3-artifacts.js');
  return new S3Artifacts({ bucket, prefix: prefix.replace(/(?<!\/)\/+$/, '') });
}
