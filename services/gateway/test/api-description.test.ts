// GET /v1/openapi.json, its page at /docs, and /client.tgz: the committed description and the packed client, for anyone, from memory.
// tests/contract/docs-page.full.test.ts opens the page in a browser.
import { randomBytes } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { request } from "undici";
import { outcome, useGateway } from "./support/test-gateway.ts";

const FILE = path.resolve(import.meta.dirname, "../../../docs/openapi.json");
const PATH = "/v1/openapi.json";

function fileFor(origin: string): Buffer {
  const document = JSON.parse(readFileSync(FILE, "utf8"));
  const copy = { ...document, servers: [{ ...document.servers[0], url: origin }] };
  return Buffer.from(`${JSON.stringify(copy, null, 2)}\n`);
}

const gateway = await useGateway();
const page = await gateway.anyone.get("/docs");
const assets = [...page.text.matchAll(/(?:href|src)="(\/docs\/[^"]+)"/g)].map(([, asset = ""]) => asset);

describe("the API description", () => {
  const fetchIt = (options: { method?: "GET" | "HEAD"; headers?: Record<string, string> } = {}) =>
    request(gateway.url + PATH, options);

  const serverOf = async (headers: Record<string, string>, url = gateway.url) => {
    const { body } = await request(url + PATH, { headers });
    return ((await body.json()) as { servers: { url: string }[] }).servers.map(({ url }) => url);
  };

  test("names the origin that served it", async () => {
    expect(await serverOf({})).toEqual([gateway.url]);
    expect(await serverOf({ host: "Shop.example.com" })).toEqual(["http://shop.example.com"]);
    expect(await serverOf({ host: "[::1]:8080" })).toEqual(["http://[::1]:8080"]);
    expect(await serverOf({ host: 'a"b/c' })).toEqual(["/"]);
  });

  test("believes proxies as far as PROXY_HOPS counts them", async () => {
    const forwarded = { host: "shop.example.com", "x-forwarded-proto": "https" };
    expect(await serverOf(forwarded)).toEqual(["http://shop.example.com"]);
    const { url } = await gateway.startReplica({ PROXY_HOPS: "1" });
    expect(await serverOf(forwarded, url)).toEqual(["https://shop.example.com"]);
    expect(await serverOf({ ...forwarded, "x-forwarded-proto": "https, http" }, url)).toEqual([
      "http://shop.example.com",
    ]);
    expect(await serverOf({ host: "shop.example.com" }, url)).toEqual(["http://shop.example.com"]);
  });

  test("is docs/openapi.json, byte by byte but for the origin, without a credential", async () => {
    const { statusCode, headers, body } = await fetchIt();
    expect(statusCode).toBe(200);
    expect(headers["content-type"]).toBe("application/json; charset=utf-8");
    expect(headers["cache-control"]).toBe("no-cache");
    expect(headers["x-content-type-options"]).toBe("nosniff");
    expect(headers["content-encoding"]).toBeUndefined();
    expect(Buffer.from(await body.arrayBuffer()).equals(fileFor(gateway.url))).toBe(true);
  });

  test("is not sent again to a client that has it, compressed or not", async () => {
    const { headers, body } = await fetchIt();
    await body.dump();
    for (const encoding of ["gzip", "identity"]) {
      const again = await fetchIt({
        headers: { "if-none-match": String(headers.etag), "accept-encoding": encoding },
      });
      expect(again.statusCode).toBe(304);
      expect(again.headers).toMatchObject({ etag: headers.etag, vary: "Accept-Encoding" });
      expect(await again.body.text()).toBe("");
    }
  });
});

describe("the reference page", () => {
  test("is HTML with a title, in an origin of its own, and loads from the gateway only", () => {
    expect(page.status).toBe(200);
    expect(page.text).toContain("<title>Tradepost API reference</title>");
    expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8");
    const policy = page.headers.get("content-security-policy")?.split("; ") ?? [];
    expect(policy[0]).toBe("sandbox allow-scripts allow-forms allow-popups allow-downloads");
    expect(policy).toEqual(
      expect.arrayContaining(["default-src 'none'", "script-src 'self'", "style-src 'self'"]),
    );
    expect(page.headers.get("content-security-policy")).not.toMatch(/unsafe|allow-same-origin|https?:/);
    expect(page.headers.get("referrer-policy")).toBe("no-referrer");
    expect(page.headers.get("x-content-type-options")).toBe("nosniff");
    expect(page.headers.get("cache-control")).toBe("no-cache");
    expect(page.headers.get("set-cookie")).toBeNull();
  });

  test("has no script or style in it, and no address of another host", () => {
    expect(page.text).not.toMatch(/<script(?![^>]* src=)|<style|style=|\son\w+=|https?:/);
    expect(assets).toHaveLength(4);
  });

  test("is the same whatever host a request names", async () => {
    const other = await gateway.anyone.get("/docs/", { host: "evil.example" });
    expect(other.text).toBe(page.text);
    expect(other.headers.get("content-security-policy")).toBe(page.headers.get("content-security-policy"));
  });

  test("has assets that a browser keeps forever, since their names change with their content", async () => {
    for (const asset of assets) {
      expect(asset).toMatch(/^\/docs\/assets\/[\w-]+\.[\w-]{16}\.(css|js)$/);
      const { status, headers } = await gateway.anyone.get(asset);
      expect(status).toBe(200);
      expect(headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
      expect(headers.get("content-type")).toMatch(asset.endsWith("css") ? /^text\/css/ : /^text\/javascript/);
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.get("content-encoding")).toBe("gzip");
    }
  });

  test.each([
    "/docs/nothing",
    "/docs/assets",
    "/docs/assets/",
    "/docs/assets/swagger-ui.css",
    "/docs/assets/..%2f..%2fpackage.json",
    "/docs/assets/%00",
    "/docs/assets/__proto__",
    "/Docs",
  ])("has no file %s", async (path) => {
    expect(outcome(await gateway.anyone.get(path))).toEqual([404, "not_found"]);
  });
});

describe("the packed client", () => {
  test("is the file of CLIENT_PACKAGE_FILE, not compressed twice", async () => {
    await using directory = await mkdtempDisposable(path.join(tmpdir(), "tradepost-client-"));
    const file = path.join(directory.path, "client.tgz");
    const bytes = gzipSync(randomBytes(10_000));
    writeFileSync(file, bytes);
    const { url } = await gateway.startReplica({ CLIENT_PACKAGE_FILE: file });
    const { statusCode, headers, body } = await request(`${url}/client.tgz`, {
      headers: { "accept-encoding": "gzip" },
    });
    expect([statusCode, headers["content-type"]]).toEqual([200, "application/gzip"]);
    expect(headers).not.toHaveProperty("content-encoding");
    expect(Buffer.from(await body.arrayBuffer()).equals(bytes)).toBe(true);
  });

  test("is not served without the setting, and has to exist with it", async () => {
    expect(outcome(await gateway.anyone.get("/client.tgz"))).toEqual([404, "not_found"]);
    const missing = { CLIENT_PACKAGE_FILE: path.join(tmpdir(), "missing.tgz") };
    await expect(gateway.startReplica(missing)).rejects.toThrow(
      /^CLIENT_PACKAGE_FILE: .* pack the client first/,
    );
  });
});
