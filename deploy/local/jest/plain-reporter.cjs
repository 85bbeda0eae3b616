// The last line of a test run, for people and programs that want one: "12 passed, 0 failed, 1 skipped".
// A file that could not be run counts as one failure.
module.exports = class PlainReporter {
  onRunComplete(_contexts, results) {
    const failed = results.numFailedTests + results.numRuntimeErrorTestSuites;
    const skipped = results.numPendingTests + results.numTodoTests;
    console.log(
      `${results.numPassedTests} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`,
    );
  }
};
