// Prints the last line of a test run: "12 passed, 0 failed, 1 skipped". A file that cannot be run counts as one failure.
module.exports = class PlainReporter {
  onRunComplete(_contexts, results) {
    const failed = results.numFailedTests + results.numRuntimeErrorTestSuites;
    const skipped = results.numPendingTests + results.numTodoTests;
    const ending = skipped > 0 ? `, ${skipped} skipped` : "";
    // Jest runs its own summary after every other reporter.
    process.once("exit", () => console.log(`${results.numPassedTests} passed, ${failed} failed${ending}`));
  }
};
