import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { LogId } from '#event-store/log-id.js';
import { BadConfig } from './bad-config.js';
import { secretFile } from './secret-file.js';

/** The id of the log that this installation's keys have signed and sealed, beside the keys. */
export const LOG_ID_FILE = 'log-id';

/** `kept`: the keys belong to this log. `replaced`: they belonged to another log, and this one is new. */
export type LogIdOutcome =
  { readonly kind: 'kept' } | { readonly kind: 'replaced'; readonly before: string };

/**
 * Compares the log's id with the one in the data directory, and keeps it there. A log that has just got its
 * id replaces the kept one: it is an empty log, or a backup from a release that gave no ids, and nothing in it
 * shows whose keys signed it. Fails with BadConfig if the directory belongs to another log.
 */
export async function keepLogId(dataDir: string, log: LogId): Promise<LogIdOutcome> {
  const { id, isNew } = log;
  if (id === undefined) return { kind: 'kept' };
  const { path, text } = await secretFile(dataDir, LOG_ID_FILE, () => `${id}\n`);
  const kept = text.trim();
  if (kept === id) return { kind: 'kept' };
  if (!isNew) throw new BadConfig(otherLog(path, kept, id));
  await rm(path);
  await secretFile(dataDir, LOG_ID_FILE, () => `${id}\n`);
  return { kind: 'replaced', before: kept };
}

/** Returns the id of the log that a data directory keeps; undefined if it keeps none. */
export const keptLogId = (dataDir: string): Promise<string | undefined> =>
  readFile(join(dataDir, LOG_ID_FILE), 'utf8').then(
    (text) => text.trim(),
    () => undefined,
  );

const otherLog = (path: string, kept: string, id: string): string =>
  `The keys of this installation belong to the log ${kept} (${path}), and the event store holds the log ${id}: ` +
  'what one installation has signed and sealed, the keys of another can neither verify nor open. ' +
  'Let MACE_DATA_DIR and MACE_EVENTSTORE_URL name a directory and an event store that belong together, or restore both ' +
  `from one backup. If these keys are the keys of this log, delete ${path} and start again.`;
