// /dashboard over HTTP: its headers, its files, and what it does not serve. tests/dashboard opens it in a browser.
import { createHash } from "node:crypto";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import zlib from "node:zlib";
import { apiClient } from "@tradepost/testing";
import { readDashboard } from "../src/pages/dashboard-pages.ts";
import { outcome, useGateway } from "./support/test-gateway.ts";

const INLINE = "document.title = 'Tradepost';";
const HTML = `<!doctype html><script>${INLINE}</script><script src="/dashboard/assets/main-x1.js"></script>`;
const SCRIPT = `export const text = "${"long ".repeat(2_000)}";`;
const SCRIPT_PATH = "/dashboard/assets/main-x1.js";

const directory = await mkdtemp(path.join(os.tmpdir(), "tradepost-dashboard-"));
afterAll(() => rm(directory, { recursive: true }));
await writeDashboard(directory);
const gateway = await useGateway();
const { url } = await gateway.startReplica({ DASHBOARD_DIR: directory });

describe("the dashboard's files", () => {
  const { get, send } = apiClient(url);

  test("are HTML with a policy that allows no style in the page, and no other script than its own", async () => {
    const page = await get("/dashboard");
    expect([page.status, page.text]).toEqual([200, HTML]);
    expect(page.headers.get("content-security-policy")).toBe(
      `default-src 'none'; script-src 'self' 'sha256-${createHash("sha256").update(INLINE).digest("base64")}'; ` +
        "style-src 'self'; img-src 'self' data:; font-src 'self'; " +
        "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; " +
        "require-trusted-types-for 'script'; trusted-types 'none'",
    );
    expect(Object.fromEntries(page.headers)).toMatchObject({
      "content-type": "text/html; charset=utf-8",
      "cache-control": "no-cache",
      "cross-origin-opener-policy": "same-origin",
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
    });
    expect(page.headers.get("set-cookie")).toBeNull();
  });

  test.each([
    "/dashboard/",
    "/dashboard?utm_source=x",
    "/dashboard/ai-integrations",
    "/dashboard/orders/0190a0f2-0000-7000-8000-000000000000?tab=timeline",
    "/dashboard/..%2f..%2fetc%2fpasswd",
  ])("%s is an address of a screen and gets the page", async (address) => {
    const page = await get(address);
    expect([page.status, page.text]).toEqual([200, HTML]);
    expect(page.headers.get("content-security-policy")).toContain("trusted-types 'none'");
  });

  test("are where a browser that opens the gateway's address is sent", async () => {
    const open = (accept: string) =>
      fetch(`${url}/?utm_source=x`, { headers: { accept }, redirect: "manual" });
    const toBrowser = await open("text/html,application/xhtml+xml,*/*;q=0.8");
    expect([toBrowser.status, toBrowser.headers.get("location")]).toEqual([302, "/dashboard"]);
    expect([toBrowser.headers.get("vary"), await toBrowser.text()]).toEqual(["Accept", ""]);
    expect((await open("*/*")).status).toBe(404);
  });

  test("are kept forever by a browser if their names change with their content", async () => {
    const asset = await get(SCRIPT_PATH);
    expect([asset.status, asset.text]).toEqual([200, SCRIPT]);
    expect(Object.fromEntries(asset.headers)).toMatchObject({
      "content-type": "text/javascript; charset=utf-8",
      "cache-control": "public, max-age=31536000, immutable",
      "x-content-type-options": "nosniff",
    });
    expect((await get("/dashboard/assets/mark-x2.svg")).headers.get("content-type")).toBe("image/svg+xml");
  });

  test("are sent with Brotli or gzip to clients that accept it", async () => {
    for (const [accepted, coding] of [
      ["gzip, br", "br"],
      ["gzip, br;q=0", "gzip"],
      ["gzip", "gzip"],
      ["identity", null],
    ] as const) {
      const { headers, text } = await get(SCRIPT_PATH, { "accept-encoding": accepted });
      expect([headers.get("content-encoding"), headers.get("vary")]).toEqual([coding, "Accept-Encoding"]);
      expect(text).toBe(SCRIPT);
    }
  });

  test("respond to HEAD, and with 405 to other methods", async () => {
    for (const address of ["/dashboard", "/dashboard/ai-integrations", SCRIPT_PATH]) {
      const head = await send("HEAD", address);
      expect([head.status, head.text]).toEqual([200, ""]);
      expect(Number(head.headers.get("content-length"))).toBeGreaterThan(0);
      const post = await send("POST", address);
      expect([post.status, post.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
    }
  });

  test.each([
    "/dashboard/assets",
    "/dashboard/assets/",
    "/dashboard/assets/main-x0.js",
    "/dashboard/assets/main-x1.js.br",
    "/dashboard/assets/..%2findex.html",
    "/dashboard/assets/%00",
    "/dashboard/assets/__proto__",
    "/Dashboard",
    "/dashboards",
  ])("have no file %s", async (address) => {
    expect(outcome(await get(address))).toEqual([404, "not_found"]);
  });

  test("are not served without DASHBOARD_DIR", async () => {
    for (const address of ["/dashboard", "/dashboard/ai-integrations", SCRIPT_PATH])
      expect((await gateway.anyone.get(address)).status).toBe(404);
  });

  test("must be there at the start", async () => {
    await expect(readDashboard(path.join(directory, "assets"))).rejects.toThrow(
      /^DASHBOARD_DIR: .*assets has no index\.html; build the dashboard first\.$/,
    );
    const withoutAssets = path.join(directory, "empty");
    await mkdir(withoutAssets);
    await writeFile(path.join(withoutAssets, "index.html"), "");
    await expect(readDashboard(withoutAssets)).rejects.toThrow(/^DASHBOARD_DIR: .*empty has no assets;/);
  });
});

/** Writes files as the dashboard's build does. */
async function writeDashboard(directory: string): Promise<void> {
  const assets = path.join(directory, "assets");
  await mkdir(assets);
  await writeFile(path.join(directory, "index.html"), HTML);
  await writeFile(path.join(assets, "main-x1.js"), SCRIPT);
  await writeFile(path.join(assets, "main-x1.js.br"), zlib.brotliCompressSync(SCRIPT));
  await writeFile(path.join(assets, "mark-x2.svg"), '<svg xmlns="http://www.w3.org/2000/svg"/>');
}
