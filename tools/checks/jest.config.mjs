// The configuration with which `npm test` runs jest on the packages' sources.
import { fileURLToPath } from "node:url";

const here = (name) => fileURLToPath(new URL(name, import.meta.url));

export default {
  rootDir: here("../.."),
  testEnvironment: "node",
  testMatch: [
    "<rootDir>/packages/*/{src,test}/**/*.test.ts",
    "<rootDir>/services/*/{src,test}/**/*.test.ts",
    "<rootDir>/tools/*/{src,test}/**/*.test.ts",
    "<rootDir>/tests/**/*.test.ts",
  ],
  // A running platform creates and deletes files in these folders.
  modulePathIgnorePatterns: ["<rootDir>/.data", "<rootDir>/.cache"],
  testRunner: here("jest/native-modules.cjs"),
  // No transform is needed, because Node strips the types.
  transform: {},
  testSequencer: here("jest/longest-first.cjs"),
  reporters: ["default", here("jest/plain-reporter.cjs")],
  // For two cores: a worker spends about half of its time waiting for servers and timers.
  maxWorkers: 3,
  // The concurrent tests of a file mostly wait.
  maxConcurrency: 10,
  // A worker that uses more memory is replaced, so that a test file does not slow down the following ones.
  workerIdleMemoryLimit: "1GB",
  // In ms. A worker exits at once, but on a busy machine freeing its memory takes longer than the default of 500 ms.
  workerGracefulExitTimeout: 10_000,
  // This limit is only for tests that hang. A pass must not depend on the speed of the machine.
  testTimeout: 240_000,
};
