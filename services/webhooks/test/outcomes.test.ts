// Every attempt ends with an outcome of interface §7, whatever the receiver does. The tests of certificates, deadlines, interim
// responses and nasty receivers have more of them.
import type { ServerResponse } from "node:http";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { freePort, until } from "@tradepost/testing";
import { useSharedWebhooks } from "./support/use-webhooks.ts";

const MEBIBYTE = 1024 * 1024;

// Longer than the part that is stored, even when compressed.
// The limit is in the middle of a character, which has two bytes.
const LONG_TEXT = `a${"é".repeat(3_000)}`;
const PAGE = Array.from({ length: 3_000 }, (_, index) => `line ${index * index}`).join("\n");
const BOMB = Buffer.alloc(4 * MEBIBYTE);

/** By path: how the receiver behaves, and the outcome that the log then shows for each attempt. */
type Behaviour = number | "hang" | "reset" | ((res: ServerResponse) => void);
const BY_PATH: Record<string, { outcome: string; statusCode?: number; behave: Behaviour }> = {
  "/200": { outcome: "delivered", statusCode: 200, behave: 200 },
  "/299": { outcome: "delivered", statusCode: 299, behave: 299 },
  "/404": { outcome: "http_status", statusCode: 404, behave: 404 },
  "/410": { outcome: "http_status", statusCode: 410, behave: 410 },
  "/429": { outcome: "http_status", statusCode: 429, behave: 429 },
  "/500": { outcome: "http_status", statusCode: 500, behave: 500 },
  "/301": { outcome: "http_status", statusCode: 301, behave: redirect(301) },
  "/307": { outcome: "http_status", statusCode: 307, behave: redirect(307) },
  "/hang": { outcome: "timeout", behave: "hang" },
  "/reset": { outcome: "connection_reset", behave: "reset" },
  "/huge": { outcome: "delivered", statusCode: 200, behave: huge },
  "/long-text": { outcome: "delivered", statusCode: 200, behave: (res) => res.end(LONG_TEXT) },
  "/binary": { outcome: "delivered", statusCode: 200, behave: binary },
  "/gzip": { outcome: "delivered", statusCode: 200, behave: compressed("gzip", gzipSync(PAGE)) },
  "/br": { outcome: "delivered", statusCode: 200, behave: compressed("br", brotliCompressSync(PAGE)) },
  "/deflate": { outcome: "delivered", statusCode: 200, behave: compressed("deflate", deflateSync(PAGE)) },
  "/bomb": { outcome: "delivered", statusCode: 200, behave: compressed("br", brotliCompressSync(BOMB)) },
  "/no-gzip": { outcome: "delivered", statusCode: 200, behave: compressed("gzip", Buffer.from("plain")) },
};

const { webhooks, receiver, tenant } = useSharedWebhooks({
  WEBHOOKS_RETRY_SCHEDULE: "50ms",
  WEBHOOKS_TIMEOUT_MS: "5000",
});
let subscriptions: Map<string, string>;

beforeAll(async () => {
  receiver.behave(({ path }) => BY_PATH[path]?.behave ?? 200);
  const urls = new Map(Object.keys(BY_PATH).map((path) => [path, receiver.url + path]));
  urls.set("refused", `https://localhost:${await freePort()}/`);
  urls.set("unresolvable", "https://placeholder.example/");
  subscriptions = new Map();
  for (const [name, url] of urls) subscriptions.set(name, (await tenant.subscribe(url)).id);
  // A name that cannot exist, so that no name server is asked. A subscription of an earlier release may have it.
  const url = `https://${"x".repeat(64)}.example/`;
  const id = subscriptions.get("unresolvable");
  await webhooks.query("update subscriptions set url = $2 where id = $1", id, url);
  await tenant.emit({ note: "to all" });
});

const settled = (name: string) =>
  until(`the end of ${name}`, async () => {
    const [found] = await tenant.deliveries(subscriptions.get(name) ?? "");
    return ["delivered", "failed"].includes(found?.status) && (await tenant.delivery(found.id));
  });

test.each([
  ...Object.entries(BY_PATH).map(([path, { outcome, statusCode }]) => [path, outcome, statusCode] as const),
  ["refused", "connection_refused", undefined] as const,
  ["unresolvable", "address_refused", undefined] as const,
])("of %s is %s", async (name, outcome, status) => {
  const statusCode = status ?? null;
  const delivery = await settled(name);
  const isDelivered = outcome === "delivered";
  expect(delivery.status).toBe(isDelivered ? "delivered" : "failed");
  expect(delivery.attempts).toEqual(
    (isDelivered ? [1] : [1, 2]).map((attempt) => ({
      round: 1,
      attempt,
      at: expect.any(String),
      durationMs: expect.any(Number),
      outcome,
      statusCode,
      responseBody: statusCode === null ? null : expect.any(String),
      address: outcome === "address_refused" ? null : expect.any(String),
      ...{ isReusedConnection: expect.any(Boolean), phases: expect.any(Object) },
    })),
  );
  for (const { responseBody } of delivery.attempts)
    expect(responseBody?.length ?? 0).toBeLessThanOrEqual(2_048);
});

test("of a redirect is its status, and it is not followed", async () => {
  await settled("/301");
  await settled("/307");
  expect(receiver.paths()).not.toContain("/redirected");
});

test.each([
  ["a huge response stores only the start of the body", "/huge", "x".repeat(2_048)],
  ["a long response stores no part of a character", "/long-text", `a${"é".repeat(1_023)}`],
  ["a response that is not text stores the readable characters", "/binary", "a\uFFFDb\uFFFDc"],
  ["a compressed response stores the start of the text (gzip)", "/gzip", PAGE.slice(0, 2_048)],
  ["a compressed response stores the start of the text (br)", "/br", PAGE.slice(0, 2_048)],
  ["a compressed response stores the start of the text (deflate)", "/deflate", PAGE.slice(0, 2_048)],
  ["a response that is not compressed, but says so, stores it as it is", "/no-gzip", "plain"],
])("of %s", async (_, path, stored) => {
  expect((await settled(path)).attempts).toMatchObject([{ responseBody: stored }]);
});

test("of a compressed response that would fill the memory stores it as it is", async () => {
  const [bomb] = (await settled("/bomb")).attempts;
  expect(bomb.responseBody.length).toBeLessThan(2_048);
});

// untrusted-receivers.test.ts has more names, without the service.
test("is address_refused when a name or an IP address is no longer allowed", async () => {
  const other = webhooks.tenant();
  const { port } = new URL(receiver.url);
  const hosts = ["localhost", "127.0.0.1", "[::1]"];
  const refusing = await Promise.all(hosts.map((host) => other.subscribe(`https://${host}:${port}/`)));
  await webhooks.restart({ WEBHOOKS_EGRESS_ALLOW: "" });
  receiver.received.length = 0;
  await other.emit();
  const refused = { outcome: "address_refused", statusCode: null, responseBody: null };
  for (const { id } of refusing) {
    const { attempts } = await other.untilDelivery(id, "failed");
    expect(attempts).toMatchObject([1, 2].map((attempt) => ({ attempt, ...refused })));
  }
  expect(receiver.received).toEqual([]);
});

function compressed(encoding: string, body: Buffer) {
  return (res: ServerResponse) => void res.writeHead(200, { "content-encoding": encoding }).end(body);
}

function redirect(status: number) {
  return (res: ServerResponse) => void res.writeHead(status, { location: "/redirected" }).end("moved");
}

function huge(res: ServerResponse): void {
  res.writeHead(200, { "content-type": "text/plain" });
  const piece = Buffer.alloc(MEBIBYTE, "x");
  let pieces = 0;
  const write = () => {
    while (pieces < 64) {
      pieces += 1;
      if (!res.write(piece)) return void res.once("drain", write);
    }
    res.end();
  };
  write();
}

function binary(res: ServerResponse): void {
  res.writeHead(200).end(Buffer.from([0x61, 0x00, 0x62, 0xff, 0x63]));
}
