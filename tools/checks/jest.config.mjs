// How `npm test` runs jest: once, over the whole repository, on the packages' sources.
import { fileURLToPath } from "node:url";

const here = (name) => fileURLToPath(new URL(name, import.meta.url));

export default {
  rootDir: here("../.."),
  testEnvironment: "node",
  // The packages' "source" export is their TypeScript: nothing has to be built first.
  testEnvironmentOptions: { customExportConditions: ["source", "node", "node-addons"] },
  testMatch: [
    "<rootDir>/packages/*/{src,test}/**/*.test.ts",
    "<rootDir>/services/*/{src,test}/**/*.test.ts",
    "<rootDir>/tools/*/test/**/*.test.ts",
    "<rootDir>/tests/**/*.test.ts",
  ],
  // What a running platform keeps there comes and goes.
  modulePathIgnorePatterns: ["<rootDir>/.data", "<rootDir>/.cache"],
  extensionsToTreatAsEsm: [".ts"],
  transform: { "\\.ts$": here("jest/strip-types.cjs") },
  reporters: ["default", here("jest/plain-reporter.cjs")],
  maxWorkers: 2,
  // Modules of finished test files are not freed; past this a worker is replaced, or it would collect garbage most of the time.
  workerIdleMemoryLimit: "1GB",
  // For a test that hangs. How fast the machine is must not matter.
  testTimeout: 240_000,
};
