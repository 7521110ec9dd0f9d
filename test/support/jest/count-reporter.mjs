import { relative } from 'node:path';

const SLOWEST = 20;

/**
 * Prints, after Jest's own summary, the slowest files, what was skipped, and the totals in the last line, which CI
 * reads. With `CI` set, a skipped test fails the run, because nobody would see it.
 */
export default class CountReporter {
  #report = '';
  #lastError;
  #isWhole;

  constructor({ testNamePattern }) {
    // A run that names tests leaves the others out on purpose.
    this.#isWhole = testNamePattern === undefined || testNamePattern === '';
    process.once('exit', () => process.stdout.write(this.#report));
  }

  onRunComplete(_contexts, results) {
    const skipped = this.#isWhole ? skippedIn(results.testResults) : [];
    const lines = [
      ...slowestOf(results.testResults),
      ...skipped.map((title) => `Skipped: ${title}`),
      totalsOf(results),
    ];
    this.#report = `${lines.join('\n')}\n`;
    if (skipped.length > 0 && (process.env.CI ?? 'false') !== 'false')
      this.#lastError = new Error(`CI must run all tests, and ${skipped.length} were skipped.`);
  }

  getLastError() {
    return this.#lastError;
  }
}

const secondsOf = ({ perfStats: { start, end } }) => (end - start) / 1000;

/** Returns a line for each of the files that took longest; none for a run of a few files. */
function slowestOf(files) {
  if (files.length <= SLOWEST) return [];
  const slowest = [...files].sort((one, other) => secondsOf(other) - secondsOf(one));
  const line = (file) =>
    `${secondsOf(file).toFixed(1).padStart(7)} s  ${relative('.', file.testFilePath)}`;
  return ['The slowest files:', ...slowest.slice(0, SLOWEST).map(line), ''];
}

/** Returns the titles of the tests that did not run although their file did. */
const skippedIn = (files) =>
  files.flatMap(({ testResults }) =>
    testResults
      .filter(({ status }) => ['pending', 'disabled', 'todo'].includes(status))
      .map(({ fullName }) => fullName),
  );

function totalsOf(results) {
  // A file that cannot be loaded has no failed tests, so it is counted as one failure.
  const failed = results.numFailedTests + results.numRuntimeErrorTestSuites;
  const skipped = results.numPendingTests > 0 ? `, ${results.numPendingTests} skipped` : '';
  return `${results.numPassedTests} passed, ${failed} failed${skipped}`;
}
