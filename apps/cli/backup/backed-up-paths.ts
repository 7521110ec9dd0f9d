import { ARTIFACTS_FOLDER } from '#artifacts/index.js';
import { SECRET_FILE } from '#embedded/event-store-node/secret.js';
import { DATABASE_FILE } from '#embedded/event-store-node/storage/database.js';
import { JOURNAL_FILES } from '#embedded/event-store-node/storage/journal.js';
import { PASSWORD_FILE } from '#embedded/postgres/cluster.js';
import { BUNDLE_KEY_FILE } from '#platform/config/bundle-key.js';
import { KEYS_FILE } from '#platform/config/keys.js';
import { LOG_ID_FILE } from '#platform/config/log-id-file.js';
import { QUEUE_FILE, queueFolder } from '#platform/storage-queue/refused-writes.js';
import { KEY_FILE } from '#subject-keys/key-file.js';

export const EVENT_STORE = 'event-store';

const FILES: ReadonlySet<string> = new Set([
  ...[KEYS_FILE, BUNDLE_KEY_FILE, LOG_ID_FILE, PASSWORD_FILE, KEY_FILE],
  ...[DATABASE_FILE, ...JOURNAL_FILES, SECRET_FILE].map((name) => `${EVENT_STORE}/${name}`),
  `${queueFolder(1)}/${QUEUE_FILE}`,
]);
const ARTIFACT = new RegExp(`^${ARTIFACTS_FOLDER}/([0-9a-f]{2})/\\1[0-9a-f]{62}$`);

/**
 * True for a path of the data directory that a backup has. A restore writes no other: a setting of Postgres or a file
 * of the user's shell would run code of the person who made the backup.
 */
export const isBackedUp = (path: string): boolean => FILES.has(path) || ARTIFACT.test(path);
