import { expect, test } from '@jest/globals';
import { changedStreams, projectedRows, recordedRows } from './projected-rows.js';

/**
 * Rows can change although no table does, such as the reasons of a risk that a request's own words give. An installation
 * makes them anew only if the version is another one.
 */
test('the rows that a read model makes of recorded streams change only together with its version', async () => {
  const advice = [...(await projectedRows())].flatMap(([name, now]) => {
    const recorded = recordedRows(name);
    if (recorded?.version !== now.version)
      return [`${name} ${now.version}: record its rows by test/architecture/record-rows.ts`];
    return changedStreams(recorded, now).map(
      (stream) => `${name} ${now.version}: raise the version, because the rows of ${stream} differ`,
    );
  });
  expect(advice).toStrictEqual([]);
});
