// Decides the order in which jest runs the test files. Files that take minutes come first, so that no worker is left with one at
// the end. Then come the larger files, which usually take longer.
const { statSync } = require("node:fs");

// The size of these files does not show how long they take.
const LONGEST = [
  "tests/recovery/system.full.test.ts",
  "tests/recovery/crash-points.test.ts",
  "tests/stories/cost-of-an-event.test.ts",
  "tools/bench/test/short-bench.full.test.ts",
  "tests/deploy/upgrade.full.test.ts",
  "tests/contract/openapi-fuzz.full.test.ts",
  "tools/chaos/test/short-chaos.full.test.ts",
  "tests/contract/credentials.full.test.ts",
  "tests/contract/docs-page.full.test.ts",
  "tests/stories/listen.full.test.ts",
  "tests/stories/ops.full.test.ts",
  "services/webhooks/test/large-backlog.full.test.ts",
  "services/webhooks/test/recover-many.full.test.ts",
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
