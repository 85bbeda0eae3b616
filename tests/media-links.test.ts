// Signed links to media through the gateway: the only requests to a service that need no credential.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { bearer } from "@tradepost/testing";
import { startTestPlatform, type TestPlatform, type TestTenant } from "./support/test-platform.ts";

const TEXT = "shown on a shop's page";

describe("a link to media", () => {
  let platform: TestPlatform;
  let tenant: TestTenant;
  let mediaId: string;
  let url: string;
  beforeAll(async () => {
    platform = await startTestPlatform();
    tenant = await platform.createTenant();
    mediaId = await upload(tenant);
    url = await newLink();
  });
  afterAll(() => platform.stop());

  const upload = async ({ apiKey }: TestTenant) => {
    const body = new FormData();
    body.append("file", new Blob([TEXT]), "a.txt");
    const response = await fetch(`${platform.url}/v1/media`, {
      method: "POST",
      headers: bearer(apiKey),
      body,
    });
    return ((await response.json()) as { data: { id: string } }).data.id;
  };
  const newLink = async (id = mediaId): Promise<string> => {
    const { status, body } = await tenant.key.post(`/v1/media/${id}/links`, {});
    expect(status).toBe(201);
    return body.data.url;
  };
  const get = (path: string, init: RequestInit = {}) => fetch(platform.url + path, init);
  const code = async (response: Response) =>
    `${response.status} ${((await response.json()) as { error: { code: string } }).error.code}`;

  test("needs no Authorization, and ignores one", async () => {
    for (const headers of [{}, bearer("nonsense"), bearer(tenant.apiKey)]) {
      const response = await get(url, { headers });
      expect([response.status, await response.text()]).toEqual([200, TEXT]);
      expect(Object.fromEntries(response.headers)).toMatchObject({
        "content-type": "application/octet-stream",
        "content-disposition": "attachment; filename=a.txt",
        "cache-control": expect.stringMatching(/^private, max-age=\d+, immutable$/),
        "content-security-policy": "default-src 'none'; sandbox",
        "cross-origin-resource-policy": "cross-origin",
        "x-content-type-options": "nosniff",
        "x-request-id": expect.any(String),
      });
    }
  });

  test("serves HEAD, ranges and 304", async () => {
    const head = await get(url, { method: "HEAD" });
    expect([head.status, head.headers.get("content-length")]).toEqual([200, String(TEXT.length)]);
    const part = await get(url, { headers: { range: "bytes=0-4" } });
    expect([part.status, await part.text()]).toEqual([206, "shown"]);
    const known = await get(url, { headers: { "if-none-match": String(head.headers.get("etag")) } });
    expect(known.status).toBe(304);
  });

  test("is 404 if it is changed, whatever has changed", async () => {
    const other = await platform.createTenant();
    for (const wrong of [
      url.replace(/.$/, (last) => (last === "0" ? "1" : "0")),
      url.replace(/expires=\d/, "expires=9"),
      url.replace(tenant.tenantId, other.tenantId),
      url.replace(tenant.tenantId, randomUUID()),
      url.replace(tenant.tenantId, "x"),
      url.replace(mediaId, randomUUID()),
      url.replace(mediaId, "no-id"),
      url.replace(mediaId, "%00"),
      url.split("?")[0] ?? "",
    ]) {
      expect([wrong, await code(await get(wrong))]).toEqual([wrong, "404 not_found"]);
    }
  });

  test("opens nothing else: other paths and methods need a credential", async () => {
    const query = url.split("?")[1];
    for (const path of [
      `/v1/media/${mediaId}?${query}`,
      `/v1/media/${mediaId}/file?${query}`,
      `/v1/media/${mediaId}/links?${query}`,
      `/v1/media/${mediaId}/links/file/?${query}`,
      `/v1/media/${mediaId}/links/file/../../file?${query}`.replace("..", "%2e%2e"),
      `/v1/media/${mediaId}/links%2ffile?${query}`,
      `/v1/media?${query}`,
    ]) {
      expect([path, await code(await get(path))]).toEqual([path, "401 unauthorized"]);
    }
    for (const method of ["POST", "PUT", "PATCH", "DELETE"]) {
      expect([method, await code(await get(url, { method }))]).toEqual([method, "401 unauthorized"]);
    }
  });

  test("is 404 once the asset is deleted", async () => {
    const id = await upload(tenant);
    const link = await newLink(id);
    expect((await get(link)).status).toBe(200);
    expect((await tenant.key.delete(`/v1/media/${id}`)).status).toBe(200);
    expect(await code(await get(link))).toBe("404 not_found");
  });

  test("is 404 while the module is not active", async () => {
    const setActive = (active: boolean) => tenant.owner.put("/v1/modules/content", { active });
    expect((await setActive(false)).status).toBe(200);
    expect(await code(await get(url))).toBe("404 not_found");
    expect((await setActive(true)).status).toBe(200);
    expect((await get(url)).status).toBe(200);
  });
});
