/** Ends a run with the one line that CI reads. A file that did not even load counts as a failure. */
export default class CountReporter {
  onRunComplete(_contexts, results) {
    const failed = results.numFailedTests + results.numRuntimeErrorTestSuites;
    const skipped = results.numPendingTests > 0 ? `, ${results.numPendingTests} skipped` : '';
    process.stdout.write(`${results.numPassedTests} passed, ${failed} failed${skipped}\n`);
  }
}
