import { lstat, readdir, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { ServiceConfig } from '#platform/config/service-config.js';

/** The room of the event log as far as this process knows it, for the log line of STORAGE_FULL (SPEC F3). */
export interface LogRoom {
  /** The bytes that the log takes; null for an event store elsewhere. */
  readonly storage_used_bytes: number | null;
  /** The bytes until the quota or the disk is full, whichever comes first; null if not known. */
  readonly storage_free_bytes: number | null;
  /** The setting or resource that an operator must change to make room. */
  readonly policy: string;
}

type Place = Pick<ServiceConfig, 'dataDir' | 'eventStoreUrl' | 'eventStoreQuotaBytes'>;

/** The blocks that `lstat` counts have 512 bytes on every platform. */
const BLOCK_BYTES = 512;

async function usedBytes(folder: string): Promise<number> {
  const names = await readdir(folder);
  const files = await Promise.all(names.map((name) => lstat(join(folder, name))));
  return files.reduce((sum, { blocks }) => sum + blocks * BLOCK_BYTES, 0);
}

/** Returns the room of the log. It never fails: it is asked for when the disk is in trouble. */
export async function logRoom(config: Place): Promise<LogRoom> {
  const { dataDir, eventStoreUrl, eventStoreQuotaBytes: quota = Infinity } = config;
  if (eventStoreUrl !== undefined)
    return {
      storage_used_bytes: null,
      storage_free_bytes: null,
      policy: 'more disk space or a higher quota for the event store in MACE_EVENTSTORE_URL',
    };
  const folder = join(dataDir, 'event-store');
  const used = await usedBytes(folder).catch(() => null);
  const disk = await statfs(folder).catch(() => null);
  const onDisk = disk === null ? null : disk.bavail * disk.bsize;
  const underQuota = Math.max(0, quota - (used ?? 0));
  const isQuota = underQuota < (onDisk ?? Infinity);
  return {
    storage_used_bytes: used,
    storage_free_bytes: isQuota ? underQuota : onDisk,
    policy: isQuota
      ? 'a higher MACE_EVENTSTORE_QUOTA_BYTES'
      : 'more disk space for the folder in MACE_DATA_DIR',
  };
}
