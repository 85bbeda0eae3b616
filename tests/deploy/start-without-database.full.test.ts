// A service that starts while its database is down or not migrated responds to probes, waits, and serves requests once another
// process has migrated the database.
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import {
  COMPILE_CACHE_DIR,
  claimPorts,
  type RunningProcess,
  readPlatformSecrets,
  readPlatformSettings,
  respondsOk,
  SERVICES,
  serviceProgram,
} from "@tradepost/devstack";
import {
  createEmptyServiceDatabase,
  createTestBroker,
  type FaultProxy,
  startFaultProxy,
  type TestBroker,
  type TestServiceDatabase,
  until,
} from "@tradepost/testing";

describe.each(SERVICES)("the %s service, started while its database is down", (service) => {
  const dataDir = mkdtempSync(path.join(tmpdir(), "tradepost-start-"));
  let database: TestServiceDatabase;
  let broker: TestBroker;
  let proxy: FaultProxy;
  let url: string;
  let start: () => Promise<RunningProcess>;
  let running: RunningProcess | undefined;

  beforeAll(async () => {
    for (const folder of ["run", "logs"]) mkdirSync(path.join(dataDir, folder));
    [database, broker] = await Promise.all([createEmptyServiceDatabase(service), createTestBroker()]);
    proxy = await startFaultProxy(database.serviceUrl);
    await proxy.refuse();
    const ports = await claimPorts(path.join(dataDir, "run/ports.json"), [service]);
    const program = serviceProgram(service, service, ports[service] as number, {
      settings: readPlatformSettings({ ...process.env, TRADEPOST_DATA_DIR: dataDir, LOG_LEVEL: "warn" }),
      secrets: readPlatformSecrets(dataDir),
      databaseUrl: proxy.url,
      amqpUrl: broker.amqpUrl,
      serviceUrls: { gateway: "", orders: NOWHERE, content: NOWHERE, webhooks: NOWHERE },
      trustedCertificatesFile: process.env.NODE_EXTRA_CA_CERTS ?? "",
    });
    url = program.url;
    start = () => program.start();
  });
  afterAll(async () => {
    running?.kill();
    await running?.ended;
    await proxy.stop();
    await Promise.all([database.drop(), broker.drop()]);
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 });
  });

  test("is alive, not ready, and refuses requests with 503 and Retry-After", async () => {
    running = await start();
    const ready = await fetch(`${url}/readyz`);
    expect(ready.status).toBe(503);
    expect(await ready.json()).toEqual({ status: "not_ready", missing: ["starting"] });
    const refused = await fetch(`${url}/v1/orders`, { method: "POST", body: "{}" });
    expect(refused.status).toBe(503);
    expect(refused.headers.get("retry-after")).toBe("2");
    expect(await refused.json()).toMatchObject({
      success: false,
      error: { code: "service_unavailable", requestId: refused.headers.get("x-request-id") },
    });
  });

  test("is not ready while the database is up but not migrated", async () => {
    // All services stop with the same code, so only one is stopped while it waits.
    if (service === "orders") {
      process.kill(running?.pid ?? 0, "SIGTERM");
      expect(await running?.ended).toBe("exit code 0");
      running = await start();
    }
    await proxy.restore();
    const log = () => readFileSync(path.join(dataDir, `logs/${service}.log`), "utf8");
    await until("the service to wait", () => log().includes("waiting for migrations"));
    expect((await fetch(`${url}/readyz`)).status).toBe(503);
  });

  test("is ready after the migration program has run, once or twice, and not without its setting", async () => {
    const name = `${service.toUpperCase()}_OWNER_DATABASE_URL`;
    await expect(migrate(service, {})).rejects.toMatchObject({
      code: 1,
      stdout: expect.stringContaining(name),
    });
    for (let run = 0; run < 2; run += 1) await migrate(service, { [name]: database.ownerUrl });
    await until(`${service} to be ready`, () => respondsOk(url, "/readyz"));
  });
});

/** Migrates a service's database. Rejects if the exit code is not 0. */
function migrate(service: string, environment: Record<string, string>) {
  const args = ["--conditions=source", "--disable-warning=ExperimentalWarning", "src/migrate.ts"];
  return promisify(execFile)(process.execPath, args, {
    cwd: new URL(`../../services/${service}/`, import.meta.url),
    env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: COMPILE_CACHE_DIR, ...environment },
  });
}

const NOWHERE = "http://127.0.0.1:9";
