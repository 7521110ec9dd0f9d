import { canonicalJson } from '../determinism/canonical-json.js';
import { sha256Hex } from '../determinism/hash.js';
import { byteOrder } from '../determinism/ids.js';
import { isSealed, type Held } from '../held.js';

/** Returns the line of a current fact in a snapshot. A sealed value appears in its sealed form (SPEC S8). */
export const snapshotLine = (key: string, held: Held, timestamp: string): string =>
  `${key}\t${canonicalJson(isSealed(held) ? held.sealed : held.value)}\t${timestamp}`;

/** Returns the sem_snapshot_hash of the current facts' lines, which may be in any order (SPEC S8). */
export const snapshotHash = (lines: readonly string[]): string =>
  sha256Hex([...lines].sort(byteOrder).join('\n'));

export const snapshotId = (hash: string): string => `sem:${hash}`;
