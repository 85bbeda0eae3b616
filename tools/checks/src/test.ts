// `npm test`: the checks, and the tests that cover every behaviour once, against real servers; `npm test -- --full`: all tests.
// With arguments for jest, only the tests that these choose.
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import {
  migrateDatabases,
  onStopRequest,
  provideTestChromium,
  provideTestPromtool,
  SERVICES,
  startTestServers,
  type TestServers,
} from "@tradepost/devstack";
import { createAuthority, createServiceTemplates } from "@tradepost/testing";
import { runChecks } from "./checks.ts";
import { responseFaults } from "./response-faults.ts";
import { runTests } from "./run-tests.ts";

const ROOT = path.resolve(import.meta.dirname, "../../..");
const INTERRUPTED = 130;

const FULL = "--full";
// What only the whole run has: the stories are in tests/stories, and every package and service has tests of its own.
const NOT_QUICK = ["<rootDir>/tests/(?!stories/)", "<rootDir>/tools/(bench|chaos)/"];

const words = process.argv.slice(2);
const chosen = words.filter((word) => word !== FULL);
process.exit(await test(chosen, { isQuick: words.length === 0 }).catch(explain));

/** Resolves to the exit code after the servers have stopped. */
async function test(jestArguments: string[], { isQuick }: { isQuick: boolean }): Promise<number> {
  let endTests: (() => void) | undefined;
  let isStopping = false;
  onStopRequest(() => {
    isStopping = true;
    endTests?.();
  });
  // The first time, their downloads take as long as the checks.
  const programs = Promise.all([
    provideTestChromium(process.env.TEST_CHROMIUM),
    provideTestPromtool(process.env.TEST_PROMTOOL),
  ]);
  if (jestArguments.length === 0 && !(await runChecks())) {
    await programs;
    return 1;
  }
  const servers = await startTestServers();
  try {
    if (isStopping) return INTERRUPTED;
    const apiDescription = JSON.parse(readFileSync(path.join(ROOT, "docs/openapi.json"), "utf8"));
    const responsesFile = path.join(servers.directory, "responses.jsonl");
    writeFileSync(responsesFile, "");
    const environment = await testEnvironment(servers, await programs);
    await createServiceTemplates(SERVICES, servers.postgresUrl, migrateDatabases);
    const tests = runTests(jestArguments, {
      root: ROOT,
      config: path.join(ROOT, "tools/checks/jest.config.mjs"),
      env: {
        ...process.env,
        ...environment,
        TRADEPOST_RESPONSES_FILE: responsesFile,
        ...(isQuick && { TEST_QUICK: "true" }),
      },
      selection: isQuick ? NOT_QUICK.map((pattern) => `--testPathIgnorePatterns=${pattern}`) : [],
      resultsFile: path.join(servers.directory, "test-results.json"),
      faultsOfRun: () => responseFaults(readFileSync(responsesFile, "utf8"), apiDescription),
    });
    endTests = tests.end;
    const code = await tests.exitCode;
    return isStopping ? INTERRUPTED : code;
  } finally {
    await servers.stop();
  }
}

function explain(error: unknown): number {
  console.error(error instanceof Error ? error.message : error);
  return 1;
}

async function testEnvironment(
  servers: TestServers,
  [chromium, promtool]: readonly (string | undefined)[],
): Promise<Record<string, string>> {
  const authority = await createAuthority();
  const temporary = path.join(servers.directory, "tmp");
  mkdirSync(temporary);
  // As /tmp: servers that tests start may run as other accounts.
  chmodSync(temporary, 0o1777);
  const certificateFile = path.join(servers.directory, "authority.crt");
  const keyFile = path.join(servers.directory, "authority.key");
  writeFileSync(certificateFile, authority.certificate);
  writeFileSync(keyFile, authority.key, { mode: 0o600 });
  return {
    TMPDIR: temporary,
    TEST_POSTGRES_URL: servers.postgresUrl,
    TEST_AMQP_URL: servers.amqpUrl,
    TEST_RABBITMQ_MANAGEMENT_URL: servers.managementUrl,
    ...(servers.redisUrl !== undefined && { TEST_REDIS_URL: servers.redisUrl }),
    ...(chromium !== undefined && { TEST_CHROMIUM: chromium }),
    ...(promtool !== undefined && { TEST_PROMTOOL: promtool }),
    TEST_CA_CERT_FILE: certificateFile,
    TEST_CA_KEY_FILE: keyFile,
    NODE_EXTRA_CA_CERTS: certificateFile,
  };
}
