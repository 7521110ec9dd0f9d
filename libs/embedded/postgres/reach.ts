import { chmod, realpath, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type ServerUser } from './server-user.js';

const ENTER_OTHERS = 0o001;
const ENTER_OWNER = 0o100;

/** The folder for binaries and data if the server's user cannot enter the folders of the user root. */
export const SHARED_HOME = '/var/lib/mace-memory';

/** True if a user may enter a folder and all its parents. */
export async function canReach(folder: string, user: ServerUser | undefined): Promise<boolean> {
  if (!user) return true;
  const path = await realpath(folder);
  for (let at = path; ; at = dirname(at)) {
    const { mode, uid } = await stat(at);
    const mayEnter =
      (mode & ENTER_OTHERS) !== 0 || (uid === user.uid && (mode & ENTER_OWNER) !== 0);
    if (!mayEnter) return false;
    if (at === dirname(at)) return true;
  }
}

/** Lets every user pass through one of our folders without listing its files. */
export async function openToPass(folder: string): Promise<void> {
  const { mode } = await stat(folder);
  await chmod(folder, (mode & 0o777) | 0o011);
}
