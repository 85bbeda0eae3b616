// The script `test` of each workspace, which turbo starts in the workspace's folder. It runs the workspace's tests on the servers
// that `npm test` started, and writes the results to .cache/test, which turbo stores.
import { globSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { startJest } from "./jest.ts";
import { filesOfRun } from "./run-all-tests.ts";
import { exitCodeOf } from "./turbo.ts";

// Tests that only `npm test -- --full` runs (CONTRIBUTING.md, Tests).
const FULL_ONLY = "\\.full\\.test\\.ts$";

const workspace = process.cwd();
// For two cores, on which turbo runs two or three workspaces at a time. The tests of the whole platform come last and by
// themselves, and mostly wait for its processes. A worker that has less to do takes longer to start than it saves.
const [WORKERS_MAX, FILES_PER_WORKER_MIN] = path.basename(workspace) === "tests" ? [4, 5] : [3, 12];

// The npx that started turbo sets this option. It would change every npx that a test starts.
const { npm_config_package: _, ...env } = process.env;
if (env.TEST_POSTGRES_URL === undefined) {
  console.error("The tests of a workspace need servers: run `npm test` in the root of the repository.");
  process.exit(1);
}
const { results, responses } = filesOfRun(workspace);
mkdirSync(path.dirname(results), { recursive: true });
// Jest writes no results if there are no tests.
writeFileSync(results, JSON.stringify({ files: [] }));
writeFileSync(responses, "");
const files = globSync("**/*.test.ts", { cwd: workspace, exclude: ["**/node_modules"] }).filter(
  (file) => !env.TEST_QUICK || !new RegExp(FULL_ONLY).test(file),
);
const workers = Math.min(WORKERS_MAX, Math.ceil(files.length / FILES_PER_WORKER_MIN) || 1);
const jest = startJest(
  [
    `--roots=${workspace}`,
    "--passWithNoTests",
    `--maxWorkers=${workers}`,
    ...(env.TEST_QUICK ? [`--testPathIgnorePatterns=${FULL_ONLY}`] : []),
  ],
  { env: { ...env, TEST_RESULTS_FILE: results, TRADEPOST_RESPONSES_FILE: responses } },
);
process.exit(await exitCodeOf(jest));
