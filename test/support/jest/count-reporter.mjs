/** Prints the totals in one line, which CI reads, after Jest's own summary. */
export default class CountReporter {
  #line = '';

  constructor() {
    process.once('exit', () => process.stdout.write(this.#line));
  }

  onRunComplete(_contexts, results) {
    // A file that cannot be loaded has no failed tests, so it is counted as one failure.
    const failed = results.numFailedTests + results.numRuntimeErrorTestSuites;
    const skipped = results.numPendingTests > 0 ? `, ${results.numPendingTests} skipped` : '';
    this.#line = `${results.numPassedTests} passed, ${failed} failed${skipped}\n`;
  }
}
