/** Ends a run, after Jest's own summary, with the one line that CI reads. */
export default class CountReporter {
  #line = '';

  constructor() {
    process.once('exit', () => process.stdout.write(this.#line));
  }

  onRunComplete(_contexts, results) {
    // A file that did not even load holds no test that could fail.
    const failed = results.numFailedTests + results.numRuntimeErrorTestSuites;
    const skipped = results.numPendingTests > 0 ? `, ${results.numPendingTests} skipped` : '';
    this.#line = `${results.numPassedTests} passed, ${failed} failed${skipped}\n`;
  }
}
