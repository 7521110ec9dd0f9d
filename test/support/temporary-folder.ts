import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder that is gone when the test process is, if not before. */
export function temporaryFolder(name: string): { readonly path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), `mace-${name}-`));
  const remove = () => rmSync(path, { recursive: true, force: true, maxRetries: 5 });
  process.once('exit', remove);
  return {
    path,
    remove: () => {
      process.off('exit', remove);
      remove();
    },
  };
}
