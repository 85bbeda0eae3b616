// A service that starts while its database is down answers its probes, waits, and serves once the database is back.
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import {
  createTestBroker,
  createTestDatabase,
  type FaultProxy,
  startFaultProxy,
  type TestBroker,
  type TestDatabase,
  until,
} from "@tradepost/testing";
import { claimPorts } from "../src/ports.ts";
import type { Running } from "../src/running.ts";
import { answersOk, serviceProcess } from "../src/service-processes.ts";
import { readStackSecrets } from "../src/stack-secrets.ts";
import { readStackSettings, SERVICES } from "../src/stack-settings.ts";

// Time enough for a start on a machine that does something else; a service that does not answer hangs for ever.
const START_TIMEOUT_MS = 120_000;

describe.each(SERVICES)("the %s service, started while its database is down", (service) => {
  const dataDir = mkdtempSync(path.join(tmpdir(), "tradepost-start-"));
  let database: TestDatabase;
  let broker: TestBroker;
  let proxy: FaultProxy;
  let url: string;
  let start: () => Promise<Running>;
  let running: Running | undefined;

  beforeAll(async () => {
    for (const folder of ["run", "logs"]) mkdirSync(path.join(dataDir, folder));
    [database, broker] = await Promise.all([createTestDatabase(), createTestBroker()]);
    proxy = await startFaultProxy(database.url);
    await proxy.refuse();
    const ports = await claimPorts(path.join(dataDir, "run/ports.json"), [service]);
    const program = serviceProcess({
      service,
      name: service,
      port: ports[service] as number,
      urls: { gateway: "", orders: NOWHERE, content: NOWHERE, webhooks: NOWHERE },
      around: {
        settings: readStackSettings({ ...process.env, TRADEPOST_DATA_DIR: dataDir, LOG_LEVEL: "warn" }),
        secrets: readStackSecrets(dataDir),
        databaseUrls: { gateway: "", orders: "", content: "", webhooks: "", [service]: proxy.url },
        amqpUrl: broker.amqpUrl,
        trustedCertificatesFile: process.env.NODE_EXTRA_CA_CERTS ?? "",
      },
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

  test(
    "lives, is not ready, and refuses requests as 503 with Retry-After",
    async () => {
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
    },
    START_TIMEOUT_MS,
  );

  test("stops cleanly when it is asked to", async () => {
    process.kill(running?.pid ?? 0, "SIGTERM");
    expect(await running?.ended).toBe("exit code 0");
  });

  test(
    "serves once the database is back",
    async () => {
      running = await start();
      await proxy.mend();
      await until(`${service} to be ready`, () => answersOk(url, "/readyz"), START_TIMEOUT_MS);
    },
    START_TIMEOUT_MS,
  );
});

const NOWHERE = "http://127.0.0.1:9";
