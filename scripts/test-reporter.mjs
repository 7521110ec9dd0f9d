// One dot a passed test; a failed one at once, with its titles, its place and its error; the count at the end.
import { relative } from 'node:path';
import { inspect } from 'node:util';

const isOuter = ({ details }) =>
  details.type === 'suite' || details.error?.failureType === 'subtestsFailed';

const describeFailure = ({ name, file, line, details }) => {
  const place = file === undefined ? '' : ` (${relative(process.cwd(), file)}:${line ?? 1})`;
  const error = details.error?.cause ?? details.error;
  const text = inspect(error, { colors: process.stdout.isTTY }).replaceAll('\n', '\n    ');
  return `\n✗ ${name}${place}\n    ${text}\n`;
};

export default async function* compact(source) {
  const count = { passed: 0, failed: 0, skipped: 0 };
  const failures = [];
  for await (const { type, data } of source) {
    if (type === 'test:stderr') yield data.message;
    if (type !== 'test:pass' && type !== 'test:fail') continue;
    if (isOuter(data)) continue;
    if (data.skip !== undefined || data.todo !== undefined) {
      count.skipped += 1;
      yield '-';
    } else if (type === 'test:pass') {
      count.passed += 1;
      yield '.';
    } else {
      count.failed += 1;
      failures.push(data.name);
      yield describeFailure(data);
    }
  }
  if (failures.length > 0) yield `\n\nFailed:\n${failures.map((name) => `  ✗ ${name}\n`).join('')}`;
  const skipped = count.skipped > 0 ? `, ${count.skipped} skipped` : '';
  yield `\n\n${count.passed} passed, ${count.failed} failed${skipped}\n`;
}
