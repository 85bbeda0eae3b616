// Runs at the end of a test run: writes the results to TEST_RESULTS_FILE if that is set, otherwise prints the last line.
const { writeFileSync } = require("node:fs");

module.exports = class PlainReporter {
  onRunComplete(_contexts, results) {
    const files = results.testResults.map(fileResult);
    const total = (key) => files.reduce((sum, file) => sum + file[key], 0);
    if (process.env.TEST_RESULTS_FILE) {
      writeFileSync(process.env.TEST_RESULTS_FILE, JSON.stringify({ files }));
      return;
    }
    const skipped = total("skipped");
    const ending = skipped > 0 ? `, ${skipped} skipped` : "";
    // Jest prints its own summary after all other reporters, so this line is printed at exit.
    process.once("exit", () => console.log(`${total("passed")} passed, ${total("failed")} failed${ending}`));
  }
};

/** A file that cannot run counts as one failure. */
function fileResult(file) {
  const failures = file.testResults
    .filter((test) => test.status === "failed")
    .map((test) => ({ name: test.fullName, message: test.failureMessages[0] ?? "" }));
  if (file.testExecError) failures.push({ name: "(the whole file)", message: file.failureMessage ?? "" });
  return {
    path: file.testFilePath,
    seconds: (file.perfStats.end - file.perfStats.start) / 1000,
    passed: file.numPassingTests,
    failed: failures.length,
    skipped: file.numPendingTests + file.numTodoTests,
    failures,
  };
}
