// `npm test`: the checks, and the tests that cover every behaviour once, against real servers. `npm test -- --full`: all tests.
// Turbo runs the tests by workspace and skips workspaces whose tests have passed on the same files. With arguments for jest, only
// the selected tests run, once and without turbo.
import type { ChildProcess } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import {
  migrateDatabases,
  onStopRequest,
  SERVICES,
  startTestServers,
  type TestServers,
} from "@tradepost/devstack";
import { createAuthority, createServiceTemplates } from "@tradepost/testing";
import { compareWithBudget } from "./budget.ts";
import { startJest } from "./jest.ts";
import { processorSecondsOfChildren, yardstick } from "./processor-time.ts";
import { provideTestPrograms } from "./programs/test-programs.ts";
import { responseFaults } from "./response-faults.ts";
import { ROOT } from "./root.ts";
import { filesOfRun, readResults, runAllTests, type TestResults } from "./run-all-tests.ts";
import { cachedScripts, endGroup, exitCodeOf, startTurbo, workspacesWith } from "./turbo.ts";

const INTERRUPTED = 130;
const FULL = "--full";
const TURBO = ["--continue=always", "--output-logs=new-only", "--log-prefix=none"];

const running = new Set<ChildProcess>();
let stopCode: number | undefined;
onStopRequest(() => stop(INTERRUPTED));
const words = process.argv.slice(2);
const chosen = words.filter((word) => word !== FULL);
// For two cores: a test spends about half of its time waiting for servers and timers. The tests of --full load the machine more.
const concurrency = `--concurrency=${words.includes(FULL) ? 2 : 3}`;
const env = withSettings({ ...process.env, ...(words.length === 0 && { TEST_QUICK: "true" }) });
const code = await (chosen.length > 0 ? testChosen() : testAll()).catch(explain);
process.exit(stopCode ?? code);

function stop(code: number): void {
  stopCode ??= code;
  for (const child of running) endGroup(child);
}

/** Adds the user's settings for the tests. Turbo treats them like the files on which the tests ran. */
function withSettings(given: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const settings = Object.entries(given).filter(([name]) => /^(TEST|FUZZ|RECORD)_/.test(name));
  return { ...given, TEST_SETTINGS: JSON.stringify(settings.sort()) };
}

/** Resolves with jest's exit code. */
async function testChosen(): Promise<number> {
  return await withServers(async (environment) => {
    return await finish(startJest(chosen, { env: { ...env, ...environment }, detached: true }));
  });
}

/** Resolves with the exit code. */
async function testAll(): Promise<number> {
  const cached = await cachedScripts(["check", "test"], env);
  if (cached.has("check") && cached.has("test")) return await report(env);
  // Runs during the servers' start and the first tests. The faults of a failed check are printed last.
  const checks = cached.has("check")
    ? undefined
    : finish(runScripts(["check"], env)).then((failed) => failed !== 0 && stop(failed));
  try {
    if (cached.has("test")) return await report(env);
    return await withServers(async (environment) => await report({ ...env, ...environment }));
  } finally {
    await checks;
  }
}

/** Runs the tests that have not passed on the same files, and prints all results. Resolves with the exit code. */
async function report(environment: NodeJS.ProcessEnv): Promise<number> {
  const folders = workspacesWith("test").map(filesOfRun);
  const succeeds = await runAllTests({
    runAll: async () => {
      const code = await finish(runScripts(["test"], environment));
      const results = { files: folders.flatMap((folder) => readResults(folder.results).files) };
      return orCrashed(code, results);
    },
    runAlone: async (files) => {
      const results = path.join(ROOT, ".cache/test-alone.json");
      writeFileSync(results, JSON.stringify({ files: [] }));
      const args = ["--maxWorkers=1", "--runTestsByPath", ...files];
      const jestEnv = { ...environment, TEST_RESULTS_FILE: results };
      const code = await finish(startJest(args, { env: jestEnv, detached: true }));
      return orCrashed(code, readResults(results));
    },
    faultsOfRun: () => {
      const recorded = folders.map((folder) => readFileSync(folder.responses, "utf8")).join("");
      const description = JSON.parse(readFileSync(path.join(ROOT, "docs/openapi.json"), "utf8"));
      return [...responseFaults(recorded, description), ...processorTimeAboveBudget()];
    },
  });
  return succeeds ? 0 : 1;
}

/** Prints the processor time of this run. Workspaces whose tests were skipped count as nothing. */
function processorTimeAboveBudget(): string[] {
  const seconds = processorSecondsOfChildren();
  if (seconds === undefined) return [];
  const name = `processor time of npm test${env.TEST_QUICK ? "" : " -- --full"}, in yardsticks`;
  return compareWithBudget({ [name]: Math.round(seconds / yardstick()) }, (text) => console.log(text));
}

/** Throws if the run failed without a failed test, which means that it crashed. */
function orCrashed(code: number, results: TestResults): TestResults {
  if (code !== 0 && results.files.every(({ failed }) => failed === 0)) {
    throw new Error(`The tests ended with ${code}, and none of them failed.`);
  }
  return results;
}

function runScripts(scripts: readonly string[], environment: NodeJS.ProcessEnv): ChildProcess {
  return startTurbo([...scripts, concurrency, ...TURBO], {
    env: environment,
    stdio: ["ignore", "inherit", "inherit"],
  });
}

/** Resolves with the exit code. A stop request ends the process. */
async function finish(child: ChildProcess): Promise<number> {
  running.add(child);
  if (stopCode !== undefined) endGroup(child);
  return await exitCodeOf(child).finally(() => running.delete(child));
}

function explain(error: unknown): number {
  if (stopCode === undefined) console.error(error instanceof Error ? error.message : error);
  return 1;
}

/** Runs `use` with the environment of the tests. Resolves when the servers have stopped. */
async function withServers(use: (environment: Record<string, string>) => Promise<number>): Promise<number> {
  // Only the tests of --full need other programs.
  const programs = env.TEST_QUICK ? {} : provideTestPrograms(env);
  const servers = await startTestServers();
  try {
    const environment = await testEnvironment(servers, await programs);
    await createServiceTemplates(SERVICES, servers.postgresUrl, migrateDatabases);
    return stopCode ?? (await use(environment));
  } finally {
    await servers.stop();
  }
}

async function testEnvironment(
  servers: TestServers,
  programs: Record<string, string>,
): Promise<Record<string, string>> {
  const authority = await createAuthority();
  const temporary = path.join(servers.directory, "tmp");
  mkdirSync(temporary);
  // The mode of /tmp, because servers that tests start may run as other users.
  chmodSync(temporary, 0o1777);
  const certificateFile = path.join(servers.directory, "authority.crt");
  const keyFile = path.join(servers.directory, "authority.key");
  writeFileSync(certificateFile, authority.certificate);
  writeFileSync(keyFile, authority.key, { mode: 0o600 });
  return {
    TMPDIR: temporary,
    TEST_PORTS_DIRECTORY: temporary,
    TEST_POSTGRES_URL: servers.postgresUrl,
    TEST_AMQP_URL: servers.amqpUrl,
    TEST_RABBITMQ_MANAGEMENT_URL: servers.managementUrl,
    ...(servers.redisUrl !== undefined && { TEST_REDIS_URL: servers.redisUrl }),
    ...programs,
    TEST_CA_CERT_FILE: certificateFile,
    TEST_CA_KEY_FILE: keyFile,
    NODE_EXTRA_CA_CERTS: certificateFile,
  };
}
