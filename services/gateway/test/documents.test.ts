// The documentation over HTTP: /llms.txt, the pages, and what they link to. And /.well-known/security.txt.
import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { mkdtempDisposable } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { apiClient, rawRequest } from "@tradepost/testing";
import { findDocuments } from "../src/pages/documents/find-documents.ts";
import { outcome, useGateway } from "./support/test-gateway.ts";

const ROOT = path.resolve(import.meta.dirname, "../../..");
const DAY_MS = 24 * 3_600_000;

const gateway = await useGateway();
const { get, post } = gateway.anyone;

describe("the documentation", () => {
  test("is listed in /llms.txt, and every link of every page leads to a file or a folder", async () => {
    const pages = readdirSync(path.join(ROOT, "docs"), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".md"))
      .map((name) => `/docs/${name}`);
    const list = await get("/llms.txt");
    expect([list.status, list.headers.get("content-type")]).toEqual([200, "text/plain; charset=utf-8"]);
    for (const page of pages.filter((name) => path.dirname(name) === "/docs"))
      expect(list.text).toContain(`](${page})`);
    const linked = new Set(linksOf("/llms.txt", list.text));
    for (const page of pages) {
      const { status, text, headers } = await get(page);
      expect([page, status]).toEqual([page, 200]);
      expect(headers.get("content-type")).toBe("text/markdown; charset=utf-8");
      for (const link of linksOf(page, text)) linked.add(link);
    }
    expect(linked.size).toBeGreaterThan(pages.length);
    const missing: string[] = [];
    for (const link of linked) if ((await get(link)).status !== 200) missing.push(link);
    expect(missing).toEqual([]);
  });

  test("may run nothing, and a browser asks whether its copy is current", async () => {
    const { headers } = await get("/docs/receivers/receiver.py");
    expect(Object.fromEntries(headers)).toMatchObject({
      "content-type": "text/plain; charset=utf-8",
      "content-security-policy": "default-src 'none'; sandbox",
      "x-content-type-options": "nosniff",
      "cache-control": "no-cache",
    });
    expect((await get("/llms.txt?x=1", { "if-none-match": "*" })).status).toBe(304);
    expect(outcome(await post("/llms.txt"))).toEqual([405, "method_not_allowed"]);
    expect((await get("/docs")).text).toContain("<title>Tradepost API reference</title>");
  });

  test("has no other file", async () => {
    for (const name of [
      "/package.json",
      "/.npmrc",
      "/services/gateway/package.json",
      "/docs/none.md",
      "/docs/%2e%2e/package.json",
    ])
      expect([name, (await get(name)).status]).toEqual([name, 404]);
    const outside = await rawRequest(gateway.url, "GET /docs/../package.json", []);
    expect(outside.status).toBe(404);
  });

  test("is copied for the image, without packages", async () => {
    await using directory = await mkdtempDisposable(path.join(os.tmpdir(), "tradepost-documents-"));
    const { path: folder } = directory;
    const program = path.join(ROOT, "services/gateway/src/pages/documents/copy-documents.ts");
    execFileSync(process.execPath, [program, folder]);
    const copied = readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => path.relative(folder, path.join(parentPath, name)));
    expect(copied.toSorted()).toEqual(findDocuments(ROOT).files);
  });
});

describe("/.well-known/security.txt", () => {
  test("has the contact, and expires within a year", async () => {
    const { url } = await gateway.startReplica({ SECURITY_CONTACT: "security@shop.example" });
    const { status, text, headers } = await apiClient(url).get("/.well-known/security.txt");
    expect([status, headers.get("content-type")]).toEqual([200, "text/plain; charset=utf-8"]);
    const [, expires = ""] = /^Contact: mailto:security@shop\.example\nExpires: (\S+)\n/.exec(text) ?? [];
    const days = (Date.parse(expires) - Date.now()) / DAY_MS;
    expect([days > 100, days < 365]).toEqual([true, true]);
  });

  test("is missing without a contact, and a wrong contact is refused at the start", async () => {
    expect((await get("/.well-known/security.txt")).status).toBe(404);
    await expect(gateway.startReplica({ SECURITY_CONTACT: "somebody" })).rejects.toThrow(/SECURITY_CONTACT/);
  });
});

function linksOf(page: string, text: string): string[] {
  const prose = text.replaceAll(/^```[\s\S]*?^```/gm, "").replaceAll(/`[^`\n]*`/g, "");
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = ""]) => new URL(target, `http://gateway${page}`))
    .filter(({ host }) => host === "gateway")
    .map(({ pathname }) => pathname);
}
