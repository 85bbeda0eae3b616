// Runs the tests of a directory as `npm test` does. Usage: run-tests-in.ts DIRECTORY [arguments for jest]
import path from "node:path";
import { runTests } from "../../src/run-tests.ts";

const [root = "", ...jestArguments] = process.argv.slice(2);
const run = runTests(jestArguments, {
  root,
  config: path.join(root, "jest.config.mjs"),
  env: process.env,
  selection: [],
  resultsFile: path.join(root, "test-results.json"),
  faultsOfRun: () => JSON.parse(process.env.FAULTS_OF_RUN ?? "[]"),
});
process.on("SIGINT", run.end);
process.exit(await run.exitCode);
