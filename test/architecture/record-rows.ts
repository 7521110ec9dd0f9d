/**
 * Records the rows that each read model makes of the recorded streams (`test/golden/streams`).
 *
 *   npm run build && node dist/test/architecture/record-rows.js
 *
 * writes `test/architecture/rows/<read model>.json`. Recorded rows are replaced only if the read model has another
 * version: an installation fills it anew only then.
 */
import { writeFileSync } from 'node:fs';
import { changedStreams, fileOfRows, projectedRows, recordedRows } from './projected-rows.js';

for (const [name, now] of await projectedRows()) {
  const recorded = recordedRows(name);
  const changed = recorded?.version === now.version ? changedStreams(recorded, now) : [];
  if (changed.length > 0)
    throw new Error(
      `${name}: raise the version first, because the rows of ${changed.join()} differ`,
    );
  writeFileSync(fileOfRows(name), `${JSON.stringify(now, null, 2)}\n`);
}
process.exit();
