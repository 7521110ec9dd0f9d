import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { BadConfig } from './bad-config.js';

/** The file that `mace restore` keeps in a data directory while it writes there. */
export const RESTORE_MARK = 'restore-unfinished';

/** Fails with BadConfig if a restore into the data directory was not finished. */
export function refuseUnfinishedRestore(dataDir: string): void {
  if (!existsSync(join(dataDir, RESTORE_MARK))) return;
  throw new BadConfig(
    `A restore into ${dataDir} was not finished, so data is missing there. Give the same mace restore command again; it begins anew.`,
  );
}
