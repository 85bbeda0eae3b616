// The program of `helm test` runs against a platform whose databases have the roles that the chart requests from CloudNativePG.
import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdtemp } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { parser } from "@prometheus-io/lezer-promql";
import { migrateDatabases } from "@tradepost/devstack";
import { apiClient, bearer, createTestBroker } from "@tradepost/testing";
import { createClusterDatabases } from "./support/cluster-databases.ts";
import { CHART, hasHelm, renderChart } from "./support/helm.ts";
import { ofKind } from "./support/kubernetes-objects.ts";
import {
  createPlatformBase,
  type PlatformBase,
  removePlatformBase,
  startTestPlatform,
  type TestPlatform,
  type TestTenant,
} from "./support/test-platform.ts";

const testWithHelm = hasHelm ? test : test.skip;
const SCRIPT = path.join(CHART, "files/place-order.mjs");
let base: PlatformBase;
let platform: TestPlatform;
let tenant: TestTenant;

beforeAll(async () => {
  base = hasHelm ? await createClusterBase() : await createPlatformBase();
  // The platform has a canary, because /readyz/deep waits for one.
  platform = await startTestPlatform({ CANARY_EVERY_MS: "500" }, undefined, base);
  tenant = await platform.createTenant();
});
afterAll(async () => {
  await platform.stop();
  await removePlatformBase(base);
});

describe("helm test", () => {
  test("places an order, receives a signed webhook and leaves nothing open", async () => {
    const { code, output } = await runScript({ API_KEY: tenant.apiKey });
    expect(output).toMatch(
      /^ready: .*\nplaced: order 1001\npublished: order.placed\nadded: redirect .*\nreceived: signed webhook .*\nPASSED\n$/,
    );
    expect(code).toBe(0);
    const orders = await tenant.key.get("/v1/orders");
    expect(orders.body.data).toMatchObject([{ orderNumber: "1001", status: "cancelled" }]);
    expect((await tenant.key.get("/v1/redirects")).body.data).toEqual([]);
    expect((await tenant.key.get("/v1/webhooks/listeners")).body.data).toEqual([]);
    const deliveries = await tenant.owner.get("/v1/webhooks/deliveries");
    expect(deliveries.body.data).toMatchObject([{ type: "redirect.added", status: "delivered" }]);
  });

  test("fails without an API key, and says what to do", async () => {
    const { code, output } = await runScript({});
    expect({ code, output }).toEqual({
      code: 1,
      output: expect.stringContaining("create a tenant, and a Secret"),
    });
  });

  test("fails with the API's reason if the key lacks a scope, and cleans up", async () => {
    const created = await tenant.owner.post("/v1/api-keys", {
      label: "Orders only",
      scopes: ["read:crm", "write:crm"],
    });
    const { code, output } = await runScript({ API_KEY: created.body.data.key });
    expect(code).toBe(1);
    expect(output).toMatch(/FAILED: POST \/v1\/webhooks\/listeners: 403 /);
    const orders = await apiClient(platform.url, bearer(tenant.apiKey)).get("/v1/orders?status=placed");
    expect(orders.body.data).toEqual([]);
  });

  test("fails when the time is over and the platform is not ready", async () => {
    const nobody = { TRADEPOST_URL: "http://127.0.0.1:2", TIMEOUT_SECONDS: "1" };
    const { code, output } = await runScript({ API_KEY: tenant.apiKey, ...nobody });
    expect(code).toBe(1);
    expect(output).toBe("FAILED: after 1 s the platform is not ready: ECONNREFUSED\n");
  });

  test("fails if the signature is wrong", async () => {
    const changed = await startChangingProxy();
    const { code, output } = await runScript({ API_KEY: tenant.apiKey, TRADEPOST_URL: changed.url });
    await changed.stop();
    expect(output).toContain("FAILED: the signature of the webhook is wrong\n");
    expect(code).toBe(1);
  });

  testWithHelm("asks for metrics that the webhooks service has, where KEDA scales it", async () => {
    const [scaler] = ofKind("ScaledObject", await renderChart("operators"));
    const queries: string[] = scaler?.spec.triggers.map(
      ({ metadata }: { metadata: { query: string } }) => metadata.query,
    );
    const named = queries.flatMap((query) => query.match(/webhooks_\w+(?:\{state="\w+")?/g) ?? []);
    const metrics = await (await fetch(`${platform.urls.webhooks}/metrics`)).text();
    expect(new Set(named)).toEqual(
      new Set(['webhooks_deliveries{state="in_flight"', "webhooks_oldest_waiting_seconds"]),
    );
    for (const metric of named) expect(metrics).toContain(`\n${metric}`);
    for (const query of queries) expect(() => parser.configure({ strict: true }).parse(query)).not.toThrow();
  });

  test("fails while a service is down", async () => {
    await platform.stopWebhooks();
    const { code, output } = await runScript({ API_KEY: tenant.apiKey, TIMEOUT_SECONDS: "1" });
    expect(code).toBe(1);
    // The gateway caches for a second that all services were ready.
    expect(output).toMatch(/FAILED: (after 1 s the platform is not ready: .*webhooks|POST .* 503 )/);
  });
});

async function createClusterBase(): Promise<PlatformBase> {
  const [databases, broker, mediaDir] = await Promise.all([
    renderChart("high-availability").then(createClusterDatabases),
    createTestBroker(),
    mkdtemp(path.join(os.tmpdir(), "tradepost-media-")),
  ]);
  const { gateway, orders, content, webhooks } = databases;
  await migrateDatabases({
    gateway: gateway.ownerUrl,
    orders: orders.ownerUrl,
    content: content.ownerUrl,
    webhooks: webhooks.ownerUrl,
  }).catch(async (error: unknown) => {
    // Roles belong to the server. Roles without a right would disturb other tests.
    await removePlatformBase({ databases, broker, mediaDir });
    throw error;
  });
  return { databases, broker, mediaDir };
}

/** Starts a proxy in front of the gateway that adds a space to each leased body after it was signed. */
async function startChangingProxy() {
  const server = createServer(async (req, res) => {
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(chunk);
    const { authorization = "" } = req.headers;
    const response = await fetch(platform.url + req.url, {
      method: req.method ?? "GET",
      headers: { authorization, "content-type": "application/json" },
      ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
    });
    const text = await response.text();
    res.statusCode = response.status;
    res.end(req.url?.endsWith("/lease") ? text.replace('"body":"{', '"body":" {') : text);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, stop: async () => void server.close() };
}

/** Runs the script with these variables, as the pod does. */
function runScript(environment: Record<string, string>): Promise<{ code: number; output: string }> {
  return new Promise((resolve) => {
    const env = { TRADEPOST_URL: platform.url, TIMEOUT_SECONDS: "30", ...environment };
    const child = execFile(process.execPath, [SCRIPT], { env }, (_error, stdout, stderr) =>
      resolve({ code: child.exitCode ?? -1, output: stdout + stderr }),
    );
  });
}
