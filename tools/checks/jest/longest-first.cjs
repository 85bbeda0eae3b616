// Decides the order in which jest runs the test files. Files that take minutes come first, so that no worker is left with one at
// the end. Then come the larger files, which usually take longer.
const { statSync } = require("node:fs");

// The size of these files does not show how long they take.
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

  /** Jest passes the durations. They are ignored, because no CI run keeps them for the next. */
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
