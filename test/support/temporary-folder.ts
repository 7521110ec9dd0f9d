import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { atExit } from './at-exit.js';

/** Creates a folder. `remove` deletes the folder; otherwise it is deleted when the test process ends. */
export function temporaryFolder(
  name: string,
  parent = tmpdir(),
): { readonly path: string; remove(): void } {
  const path = mkdtempSync(join(parent, `mace-${name}-`));
  const remove = () => rmSync(path, { recursive: true, force: true, maxRetries: 5 });
  const forget = atExit(remove);
  return {
    path,
    remove: () => {
      forget();
      remove();
    },
  };
}
