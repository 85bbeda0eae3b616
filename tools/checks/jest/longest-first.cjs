// The order in which jest runs the test files: those that take minutes first, so that one worker does not end with them while
// the other has nothing to do; then the larger files, which mostly take longer.
const { statSync } = require("node:fs");

// The text of these files does not show how long they run.
const LONGEST = [
  "tests/system.test.ts",
  "tests/stories/crash-points.test.ts",
  "tools/bench/test/short-bench.test.ts",
  "tests/upgrade.test.ts",
  "tests/openapi-fuzz.test.ts",
  "tools/chaos/test/short-chaos.test.ts",
  "tests/huge-events.test.ts",
  "tests/credentials.test.ts",
  "tests/docs-page.test.ts",
  "tests/listen.test.ts",
  "tests/ops.test.ts",
  "services/webhooks/test/large-backlog.full.test.ts",
  "services/webhooks/test/recover-oldest-first.full.test.ts",
  "services/content/test/schedule-many.full.test.ts",
];

module.exports = class LongestFirst {
  sort(tests) {
    const weighed = tests.map((test) => ({ test, weight: weightOf(test.path) }));
    return weighed.sort((one, other) => other.weight - one.weight).map(({ test }) => test);
  }

  /** Jest passes the durations, which it does not keep from one CI run to the next. */
  cacheResults() {}

  /** Without stored results, `--onlyFailures` runs every file. */
  allFailedTests(tests) {
    return tests;
  }
};

function weightOf(path) {
  const place = LONGEST.findIndex((file) => path.endsWith(`/${file}`));
  return place === -1 ? statSync(path).size : Number.MAX_SAFE_INTEGER - place;
}
