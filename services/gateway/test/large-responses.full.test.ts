// Responses too large for memory are streamed, as fast as the client reads them. One that is cut off never looks complete.
// Uploads may take longer than a service may take to respond.
import http from "node:http";
import { sleep } from "@tradepost/runtime";
import { until } from "@tradepost/testing";
import { connectRaw, headOf } from "./support/connect-raw.ts";
import { useRecordingUpstream } from "./support/recording-upstream.ts";
import { useGateway } from "./support/test-gateway.ts";

const MIB = 1024 * 1024;
// Long enough for a service that responds, even on a busy machine.
const UPSTREAM_TIMEOUT_MS = 2_000;
const TYPE = { "content-type": "application/octet-stream" };

const upstream = await useRecordingUpstream();
const gateway = await useGateway({
  CONTENT_URL: upstream.url,
  UPSTREAM_TIMEOUT_MS: String(UPSTREAM_TIMEOUT_MS),
});
const tenant = await gateway.createTenant();

describe("a large response", () => {
  const path = "/v1/media/x/file";
  const send = () => fetch(gateway.url + path, { headers: { authorization: `Bearer ${tenant.token}` } });

  const ways = [
    ["with its length", { "content-length": 20 * MIB }],
    ["in chunks", {}],
  ] as const;

  test.each(ways)("%s arrives complete", async (_how, length) => {
    const bytes = Buffer.alloc(20 * MIB, "0123456789abcdef!");
    upstream.respondWith((res) => res.writeHead(200, { ...TYPE, ...length }).end(bytes));
    const response = await send();
    expect(Buffer.from(await response.arrayBuffer()).equals(bytes)).toBe(true);
  });

  test.each(ways)("%s that is cut off is cut off for the client too", async (_how, length) => {
    upstream.respondWith((res) => {
      res.writeHead(200, { ...TYPE, ...length });
      res.write(Buffer.alloc(4 * MIB), () => res.destroy());
    });
    const response = await send();
    await expect(response.arrayBuffer()).rejects.toThrow();
    expect((await tenant.owner.get("/v1/me")).status).toBe(200);
  });

  test("waits for a client that does not read, and ends when the client closes", async () => {
    let sent = 0;
    let hasEnded = false;
    upstream.respondWith((res) => {
      res.writeHead(200, { ...TYPE, "content-length": 1024 * MIB });
      res.once("close", () => (hasEnded = true));
      const more = () => {
        while (!res.destroyed && res.write(Buffer.alloc(64 * 1024))) sent += 64 * 1024;
        sent += 64 * 1024;
      };
      res.on("drain", more);
      more();
    });
    const { socket } = connectRaw(gateway);
    socket.pause().write(headOf(tenant.token, `GET ${path}`));
    // When the count no longer changes, all buffers are full. They hold far less than the gigabyte.
    let before = -1;
    await until("the service to wait", async () => {
      const isStill = sent > 0 && sent === before;
      before = sent;
      await sleep(300);
      return isStill;
    });
    expect(sent).toBeLessThan(64 * MIB);
    socket.destroy();
    await until("the service's response to end", () => hasEnded);
  });

  test("may follow a slow upload, but not come from a slow service", async () => {
    upstream.respondWith((res, { req }) => {
      if (req.url !== "/v1/media?never") res.writeHead(201).end("{}");
    });
    const slow = tenant.owner.send("POST", "/v1/media?never", { body: Buffer.alloc(4 * MIB) });
    const answered = new Promise<number | undefined>((resolve, reject) => {
      const headers = { authorization: `Bearer ${tenant.token}`, "content-length": 4 * MIB };
      const req = http.request(`${gateway.url}/v1/media`, { method: "POST", headers });
      req.once("error", reject);
      req.once("response", (res) => resolve(res.statusCode));
      req.write(Buffer.alloc(2 * MIB));
      // Slower than a service may be.
      setTimeout(() => req.end(Buffer.alloc(2 * MIB)), 1.5 * UPSTREAM_TIMEOUT_MS);
    });
    expect(await answered).toBe(201);
    const { status, body } = await slow;
    expect([status, body.error.code]).toEqual([504, "upstream_timeout"]);
  });
});
