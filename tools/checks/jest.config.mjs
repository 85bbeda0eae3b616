// How `npm test` runs jest: once, over the whole repository, on the packages' sources.
import { fileURLToPath } from "node:url";

const here = (name) => fileURLToPath(new URL(name, import.meta.url));

export default {
  rootDir: here("../.."),
  testEnvironment: "node",
  testMatch: [
    "<rootDir>/packages/*/{src,test}/**/*.test.ts",
    "<rootDir>/services/*/{src,test}/**/*.test.ts",
    "<rootDir>/tools/*/test/**/*.test.ts",
    "<rootDir>/tests/**/*.test.ts",
  ],
  // A running platform creates and deletes files there.
  modulePathIgnorePatterns: ["<rootDir>/.data", "<rootDir>/.cache"],
  testRunner: here("jest/native-modules.cjs"),
  // Node strips the types.
  transform: {},
  testSequencer: here("jest/longest-first.cjs"),
  reporters: ["default", here("jest/plain-reporter.cjs")],
  // On two cores. A worker spends about half of its time waiting for servers and timers.
  maxWorkers: 3,
  // The tests of one file that are marked as concurrent mostly wait.
  maxConcurrency: 10,
  // A test file that leaves much memory in use does not burden those after it: above this size a worker is replaced.
  workerIdleMemoryLimit: "1GB",
  // Only for a test that hangs: it must not depend on the speed of the machine.
  testTimeout: 240_000,
};
