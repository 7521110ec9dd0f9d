import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { canonicalJson } from '#domain/determinism/canonical-json.js';
import { sha256Hex } from '#domain/determinism/hash.js';
import { CommandFailure, couldNotCheck, EXIT } from '../exit-code.js';

/** The folder of a backup with an image of the data directory. */
export const IMAGE = 'data';
const FILE = 'manifest.json';

/** A file of the image. */
export interface BackedUpFile {
  /** The path in the data directory, with `/` between its parts. */
  readonly path: string;
  readonly bytes: number;
  /** The SHA-256 of its bytes, as hex digits. */
  readonly sha256: string;
}

/** Describes a backup. It is written last, so a backup without it is incomplete (docs/operating.md). */
export interface Manifest {
  readonly kind: 'mace_backup';
  readonly version: 1;
  /** The time at which the backup began, ISO 8601 UTC. */
  readonly created_at: string;
  /** The log's id; null if the data directory keeps none. */
  readonly log_id: string | null;
  /** The commit position of the last event in the backup, in decimal digits. */
  readonly position: string;
  /** The number of events, those of the `$` streams included. */
  readonly events: number;
  readonly last_event_id: string;
  /** The files with keys and secrets. */
  readonly keys: readonly string[];
  /** The number of subjects' keys, the destroyed ones included; undefined in a backup of an earlier release. */
  readonly subject_keys?: number;
  readonly artifacts: number;
  /** The number of refused writes that wait until the log has room. */
  readonly queued_writes: number;
  readonly files: readonly BackedUpFile[];
}

/** The text of a manifest: one line of canonical JSON, with the SHA-256 of its other fields. */
export const manifestText = (manifest: Manifest): string =>
  `${canonicalJson({ ...manifest, checksum: sha256Hex(canonicalJson(manifest)) })}\n`;

export const manifestPath = (folder: string): string => join(folder, FILE);

/** The failure for a backup that is incomplete or was changed. */
export const damagedBackup = (problem: string): CommandFailure =>
  new CommandFailure(EXIT.damaged, `${problem} Nothing was restored.`);

/**
 * Reads the manifest of a backup. Fails with exit code 3 if it is missing or if any byte of it was changed, and
 * with 2 if it cannot be read.
 */
export async function readManifest(folder: string): Promise<Manifest> {
  const path = manifestPath(folder);
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw couldNotCheck(`${path} cannot be read: ${error.message}.`);
    throw damagedBackup(`${folder} is not a complete backup: it has no ${FILE}.`);
  });
  const manifest = manifestIn(text);
  if (manifest === undefined) throw damagedBackup(`${path} is damaged: its checksum is wrong.`);
  if (manifest.kind !== 'mace_backup' || manifest.version !== 1)
    throw couldNotCheck(
      `${path} is not of a form that this release knows: restore it with the release that wrote it.`,
    );
  const strange = manifest.files.find(({ path: each }) => !isPlainPath(each));
  if (strange !== undefined)
    throw damagedBackup(`${path} names a file outside of the data directory.`);
  return manifest;
}

function manifestIn(text: string): Manifest | undefined {
  try {
    const { checksum: _, ...manifest } = JSON.parse(text) as Manifest & { checksum: string };
    return manifestText(manifest) === text ? manifest : undefined;
  } catch {
    return undefined;
  }
}

const isPlainPath = (path: string): boolean =>
  path.split('/').every((part) => /^[A-Za-z0-9._-]+$/.test(part) && part !== '.' && part !== '..');
