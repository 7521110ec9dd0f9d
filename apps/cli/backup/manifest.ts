import { join } from 'node:path';
import { canonicalJson } from '#domain/determinism/canonical-json.js';
import { sha256Hex } from '#domain/determinism/hash.js';
import { readRegular, UnusableFile } from '#files/regular-file.js';
import { CommandFailure, couldNotCheck, EXIT } from '../exit-code.js';

/** The folder of a backup with an image of the data directory. */
export const IMAGE = 'data';
const FILE = 'manifest.json';

export interface BackedUpFile {
  /** The path in the data directory, with `/` between its parts. */
  readonly path: string;
  readonly bytes: number;
  /** The SHA-256 of its bytes, as hex digits. */
  readonly sha256: string;
}

/** Describes a backup. It is written last, so a backup without it is incomplete (docs/backups.md). */
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

/** The most bytes of a manifest, which has a line of about 200 bytes for each artifact. */
const MAX_BYTES = 256 * 1024 * 1024;

/**
 * Reads the manifest of a backup. Fails with exit code 3 if it is missing, if any byte of it was changed, or if it is
 * not what a backup writes, and with 2 if it cannot be read.
 */
export async function readManifest(folder: string): Promise<Manifest> {
  const path = manifestPath(folder);
  const manifest = manifestIn(await textOf(folder, path));
  if (manifest === undefined) throw damagedBackup(`${path} is damaged: its checksum is wrong.`);
  if (manifest['kind'] !== 'mace_backup' || manifest['version'] !== 1)
    throw couldNotCheck(
      `${path} is not of a form that this release knows: restore it with the release that wrote it.`,
    );
  const strange = Object.keys(FORM).find((name) => !FORM[name as keyof Manifest](manifest[name]));
  if (strange !== undefined)
    throw damagedBackup(`${path} is not what mace backup writes: its ${strange} is not.`);
  return manifest as unknown as Manifest;
}

async function textOf(folder: string, path: string): Promise<string> {
  try {
    return (await readRegular(path, MAX_BYTES, { links: 'refuse' })).toString('utf8');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (error instanceof UnusableFile) throw damagedBackup(`${message}.`);
    if (code === 'ENOENT')
      throw damagedBackup(`${folder} is not a complete backup: it has no ${FILE}.`);
    throw couldNotCheck(`${path} cannot be read: ${message}.`);
  }
}

function manifestIn(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const { checksum: _, ...manifest } = JSON.parse(text) as Manifest & { checksum: string };
    return manifestText(manifest) === text ? { ...manifest } : undefined;
  } catch {
    return undefined;
  }
}

type Check = (value: unknown) => boolean;

const matches =
  (form: RegExp): Check =>
  (value) =>
    typeof value === 'string' && form.test(value);
const isCount: Check = (value) => Number.isSafeInteger(value) && (value as number) >= 0;
const isPath = matches(/^(?!\.{1,2}(?:\/|$))[\w.-]+(?:\/(?!\.{1,2}(?:\/|$))[\w.-]+)*$/);
const isHash = matches(/^[0-9a-f]{64}$/);

function isFile(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { path, bytes, sha256 } = value as Partial<BackedUpFile>;
  return isPath(path) && isCount(bytes) && isHash(sha256);
}

const areFiles: Check = (value) =>
  Array.isArray(value) &&
  value.every(isFile) &&
  new Set(value.map(({ path }: BackedUpFile) => path)).size === value.length;

/** The form of each field. A restore prints some of them, so no text can hold what a terminal obeys. */
const FORM: { readonly [Name in keyof Required<Manifest>]: Check } = {
  kind: () => true,
  version: () => true,
  created_at: matches(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
  log_id: (value) => value === null || matches(/^[\w-]{1,64}$/)(value),
  position: matches(/^\d{1,20}$/),
  events: isCount,
  last_event_id: matches(/^[\w-]{0,64}$/),
  keys: (value) => Array.isArray(value) && value.every(isPath),
  subject_keys: (value) => value === undefined || isCount(value),
  artifacts: isCount,
  queued_writes: isCount,
  files: areFiles,
};
