// /docs over HTTP: its headers, its files, and what it does not serve. tests/contract/docs-page.full.test.ts opens it in a browser.
import { describe, expect, test } from "@jest/globals";
import { apiClient } from "@tradepost/testing";
import { useGateway } from "./support/test-gateway.ts";

const gateway = await useGateway();
const page = await apiClient(gateway.url).get("/docs");
const assets = [...page.text.matchAll(/(?:href|src)="(\/docs\/[^"]+)"/g)].map(([, asset = ""]) => asset);

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
    const other = await apiClient(gateway.url).get("/docs/", { host: "evil.example" });
    expect(other.text).toBe(page.text);
    expect(other.headers.get("content-security-policy")).toBe(page.headers.get("content-security-policy"));
  });

  test("has assets that a browser keeps forever, since their names change with their content", async () => {
    for (const asset of assets) {
      expect(asset).toMatch(/^\/docs\/assets\/[\w-]+\.[\w-]{16}\.(css|js)$/);
      const { status, headers } = await apiClient(gateway.url).get(asset);
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
    const response = await apiClient(gateway.url).get(path);
    expect([response.status, response.body.error.code]).toEqual([404, "not_found"]);
  });
});
