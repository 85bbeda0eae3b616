// The effect of a tenant that sends as much as the limits admit, on the requests of another tenant (docs/security.md). It has a
// platform of its own, because the limits are off in that of the other benches.
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { Worker } from "node:worker_threads";
import { createTenants, type TenantCredentials } from "@tradepost/devstack";
import { sleep } from "@tradepost/runtime";
import { apiClient, bearer, type ClientResponse } from "@tradepost/testing";
import type { Flood, Statuses } from "../load/flood-worker.ts";
import { atRate } from "../load/loops.ts";
import { orderBody } from "../load/order-requests.ts";
import { startBenchPlatform } from "../platform.ts";
import { type Percentiles, percentiles, spread } from "../statistics.ts";
import type { Bench } from "./bench.ts";

const SHIPPED_LIMITS = {
  RATE_LIMIT_PER_SECOND: "100",
  TENANT_RATE_LIMIT_PER_SECOND: "400",
  TENANT_CONCURRENCY_MAX: "32",
};
const CONNECTIONS = 32;
const UPLOADS = 16;
const LARGE_ORDERS = 100;
const LINES_MAX = 500;
const MB = 1024 * 1024;
// The probe and the attacks of one tenant stay below its limits.
const PROBES_PER_SECOND = 24;
// An attacker that knows the limits sends as much and spends less. The processor is shared with the platform here.
const PAUSE_MS = 100;
// The attacker's buckets are full again after this, and its requests in progress have ended.
const REST_MS = 5_000;

interface Attack extends Pick<Flood, "request" | "pauseMs"> {
  readonly name: string;
  readonly connections?: number;
}

interface Sent {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

interface Probed {
  readonly latency: Percentiles;
  /** How many requests got no 200 or 201. */
  readonly refusedCount: number;
}

export const greedy: Bench = {
  name: "greedy",
  description:
    "the latency of one tenant's requests while another sends all that the limits admit, in many ways; baseline: alone",
  target: "< 10 × the p99, none refused",
  run: async ({ scale: { seconds, isShort } }) => {
    await using running = new AsyncDisposableStack();
    const dataDir = await mkdtemp(path.join(tmpdir(), "tradepost-bench-greedy-"));
    // If this runs as root, Postgres runs under another account, which needs execute permission here.
    await chmod(dataDir, 0o755);
    running.defer(() => rm(dataDir, { recursive: true, force: true }));
    const platform = await startBenchPlatform(dataDir, () => {}, SHIPPED_LIMITS);
    running.defer(() => platform.kill());
    const { url } = platform;
    const slugs = ["attacker", "victim"].map((slug) => ({ slug, scopes: SCOPES }));
    const [attacker, victim] = await createTenants(url, platform.databases.gateway, slugs);
    if (attacker === undefined || victim === undefined) throw new Error("no tenant was created");
    const attacks = await prepare(url, attacker, isShort ? 2 : LARGE_ORDERS);
    const probe = await startProbe(url, victim, 2 * seconds);
    await probe();
    const quiet = await probe();
    const rows = [rowOf("none", quiet, quiet, {})];
    const p99s: number[] = [];
    for (const { name, request, connections = CONNECTIONS, pauseMs = PAUSE_MS } of attacks) {
      await sleep(isShort ? 0 : REST_MS);
      const flood = startFlood({ url, connections, request, pauseMs });
      const probed = await probe();
      p99s.push(probed.latency.p99);
      rows.push(rowOf(name, probed, quiet, await flood.stop()));
    }
    return {
      unit: "ms (p99, the worst)",
      measured: Math.max(...p99s),
      baseline: quiet.latency.p99,
      ratio: spread(p99s.map((p99) => p99 / quiet.latency.p99)),
      notes: [...HEAD, ...rows],
    };
  },
};

const SCOPES = ["read:crm", "write:crm", "write:crm_bulk", "read:content", "write:content"];
const HEAD = [
  "| attack | p50 ms | p99 ms | × alone | refused | the attacker's responses |",
  "|---|---|---|---|---|---|",
];

function rowOf(name: string, { latency, refusedCount }: Probed, quiet: Probed, statuses: Statuses): string {
  const { p50, p99 } = latency;
  const responses = Object.entries(statuses).map(([status, count]) => `${count} × ${status}`);
  const cells = [name, p50, p99, (p99 / quiet.latency.p99).toFixed(1), refusedCount, responses.join(", ")];
  return `| ${cells.join(" | ")} |`;
}

/** Returns a function that measures the victim's requests: reads and changes of three services, and of the gateway. */
async function startProbe(url: string, { apiKey, customerId }: TenantCredentials, seconds: number) {
  const victim = apiClient(url, bearer(apiKey));
  const order = JSON.parse(orderBody(customerId, 1)) as object;
  const { body } = await untilAccepted(() => victim.post("/v1/orders", order));
  const requests = [
    () => victim.get(`/v1/orders/${body.data.id}`),
    () => victim.post("/v1/orders", order),
    () => victim.get("/v1/webhooks/subscriptions"),
    () => victim.get("/v1/entries"),
    () => victim.get("/v1/me"),
    () => victim.get("/v1/orders?limit=10"),
  ];
  return async (): Promise<Probed> => {
    let refusedCount = 0;
    const latencies = await atRate({ perSecond: PROBES_PER_SECOND, seconds }, async (index) => {
      const startedAt = performance.now();
      const { status } = await (requests[index % requests.length] as () => Promise<ClientResponse>)();
      if (status >= 300) refusedCount += 1;
      return performance.now() - startedAt;
    });
    return { latency: percentiles(latencies), refusedCount };
  };
}

function startFlood(flood: Flood) {
  const worker = new Worker(new URL("../load/flood-worker.ts", import.meta.url), { workerData: flood });
  const ended = new Promise<Statuses>((resolve, reject) => {
    worker.once("message", resolve);
    worker.once("error", reject);
  });
  return {
    stop: () => {
      worker.postMessage("stop");
      return ended;
    },
  };
}

/** Makes the data that the attacks read, and returns the attacks. */
async function prepare(url: string, attacker: TenantCredentials, orderCount: number): Promise<Attack[]> {
  const { apiKey, customerId } = attacker;
  const authorization = `Bearer ${apiKey}`;
  const client = apiClient(url, { authorization });
  const largeOrder = orderBody(customerId, LINES_MAX);
  const post = (path: string, body: string) => client.send("POST", path, { body, headers: JSON_TYPE });
  for (let count = 0; count < orderCount; count += 1)
    await untilAccepted(() => post("/v1/orders", largeOrder));
  const upload = (bytes: number) => ({
    body: `--x\r\ncontent-disposition: form-data; name="file"; filename="a.txt"\r\n\r\n${"a".repeat(bytes)}\r\n--x--\r\n`,
    headers: { "content-type": "multipart/form-data; boundary=x" },
  });
  const { body: media } = await untilAccepted(() => client.send("POST", "/v1/media", upload(20 * MB)));
  const { body: link } = await untilAccepted(() => client.post(`/v1/media/${media.data.id}/links`, {}));
  const get = (name: string, path: string) => ({
    name,
    request: { method: "GET", path, headers: { authorization } } as const,
  });
  const sent = (name: string, path: string, { body, headers }: Sent) => ({
    name,
    request: { method: "POST", path, body, headers: { authorization, ...headers } } as const,
  });
  const json = (body: object | string) => ({
    body: typeof body === "string" ? body : JSON.stringify(body),
    headers: JSON_TYPE,
  });
  const bulk = { orders: Array.from({ length: 100 }, () => JSON.parse(orderBody(customerId, 20)) as object) };
  const fileUrl = new URL(link.data.url, url);
  return [
    { ...get("GET /v1/me, refused or not", "/v1/me"), pauseMs: 0 },
    get("lists of orders with 500 lines", "/v1/orders?limit=100"),
    get("searches", "/v1/orders?search=t%20s%20e%20a%20b%20c%20d%20g"),
    get("exports", "/v1/orders/export"),
    get("figures of 399 days", `/v1/orders/statistics?by=day&${daysBack(399)}`),
    sent("orders of 500 lines", "/v1/orders", json(largeOrder)),
    sent("imports of 100 orders of 20 lines", "/v1/orders/bulk", json(bulk)),
    sent("dry runs of the same", "/v1/orders/bulk?dryRun=true", json(bulk)),
    // Before the large files, whose cost takes longer to pay than the rest before the next attack.
    sent("an assistant that finds orders", "/mcp", {
      ...json({
        ...{ jsonrpc: "2.0", id: 1, method: "tools/call" },
        params: { name: "find_orders", arguments: { limit: 20, detail: "full" } },
      }),
      headers: { ...JSON_TYPE, accept: "application/json, text/event-stream" },
    }),
    { ...sent("uploads of 5 MB", "/v1/media", upload(5 * MB)), connections: UPLOADS },
    get("a file of 20 MB, with a key", `/v1/media/${media.data.id}/file`),
    {
      name: "a file of 20 MB, by a link without a key",
      request: { method: "GET", path: `${fileUrl.pathname}${fileUrl.search}` },
    },
    { name: "the API description, without a key", request: { method: "GET", path: "/v1/openapi.json" } },
  ];
}

const JSON_TYPE = { "content-type": "application/json" };

function daysBack(days: number): string {
  const to = new Date();
  const from = new Date(to.getTime() - days * 24 * 3_600_000);
  return `from=${from.toISOString()}&to=${to.toISOString()}`;
}

/** Sends a request until the limits admit it. */
async function untilAccepted(send: () => Promise<ClientResponse>): Promise<ClientResponse> {
  for (;;) {
    const response = await send();
    if (response.status < 300) return response;
    if (response.status !== 429) throw new Error(`refused with ${response.status}: ${response.text}`);
    await sleep(1_000);
  }
}
