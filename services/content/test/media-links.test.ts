// Signed links to media (interface §5): they need no credential, and are not found once they are expired, changed or ended.
import { randomUUID } from "node:crypto";
import { invalidFields, until } from "@tradepost/testing";
import { dataOf, outcome } from "./support/editing.ts";
import { download, picture, upload, uploadAndWait } from "./support/media-client.ts";
import { ownTestContent } from "./support/test-content.ts";

const OLD_SECRET = "o".repeat(32);
const NEW_SECRET = "n".repeat(32);

const content = await ownTestContent({ CONTENT_MEDIA_LINK_SECRETS: OLD_SECRET });
const tenant = content.newTenant();
const media = dataOf(await upload(tenant, "0123456789", "a.txt"));

describe("a link to media", () => {
  const newLink = async (body: object = {}, id = media.id) =>
    dataOf(await tenant.post(`/v1/media/${id}/links`, body)) as { url: string; expiresAt: string };
  /** As the gateway sends it: signed, as a caller of no tenant and without modules. */
  const get = (url: string, headers: Record<string, string> = {}, method?: string) =>
    download(content, content.newTenant(), url, headers, method);

  test("is made for an hour by default, and for up to a week", async () => {
    for (const [body, seconds] of [
      [undefined, 3_600],
      [{}, 3_600],
      [{ expiresInSeconds: null, variant: null }, 3_600],
      [{ expiresInSeconds: 604_800 }, 604_800],
      [{ expiresInSeconds: 60 }, 60],
    ] as const) {
      const before = Math.floor(Date.now() / 1000);
      const { status, body: response } = await tenant.post(`/v1/media/${media.id}/links`, body);
      const expiresAt = Date.parse(response.data.expiresAt) / 1000;
      expect([status, Object.keys(response.data)]).toEqual([201, ["url", "expiresAt"]]);
      expect(expiresAt).toBeGreaterThanOrEqual(before + seconds);
      expect(expiresAt).toBeLessThanOrEqual(Math.floor(Date.now() / 1000) + seconds);
    }
  });

  test("serves the file with the safe headers of the file, until it expires, to pages of every site", async () => {
    const { url, expiresAt } = await newLink({ expiresInSeconds: 100 });
    const { status, headers, bytes } = await get(url);
    expect([status, String(bytes)]).toEqual([200, "0123456789"]);
    expect(Object.fromEntries(headers)).toMatchObject({
      "content-type": "application/octet-stream",
      "content-disposition": "attachment; filename=a.txt",
      "x-content-type-options": "nosniff",
      "content-security-policy": "default-src 'none'; sandbox",
      "cross-origin-resource-policy": "cross-origin",
      "accept-ranges": "bytes",
      etag: `"${media.sha256}"`,
    });
    const [, maxAge] = /^private, max-age=(\d+), immutable$/.exec(headers.get("cache-control") ?? "") ?? [];
    expect(Number(maxAge)).toBeLessThanOrEqual(100);
    expect(Date.now() + Number(maxAge) * 1000).toBeLessThanOrEqual(Date.parse(expiresAt) + 1000);
  });

  test("honours HEAD, Range and If-None-Match", async () => {
    const { url } = await newLink();
    const head = await get(url, {}, "HEAD");
    expect([head.status, head.headers.get("content-length"), head.bytes.length]).toEqual([200, "10", 0]);
    const part = await get(url, { range: "bytes=2-4" });
    const shown = [part.status, String(part.bytes), part.headers.get("content-range")];
    expect(shown).toEqual([206, "234", "bytes 2-4/10"]);
    expect((await get(url, { range: "bytes=10-" })).status).toBe(416);
    const known = await get(url, { "if-none-match": `"${media.sha256}"` });
    expect([known.status, known.headers.get("cross-origin-resource-policy")]).toEqual([304, "cross-origin"]);
  });

  test("may lead to a variant of an image", async () => {
    const image = await uploadAndWait(tenant, await (await picture(10, 10)).png().toBuffer(), "a.png");
    const { url } = await newLink({ variant: "thumbnail" }, image.id);
    const { status, headers } = await get(url);
    expect([status, headers.get("content-type")]).toEqual([200, "image/webp"]);
    expect(headers.get("content-disposition")).toBe("inline; filename=a-thumbnail.webp");
    expect((await get(url.replace("thumbnail", "large"))).status).toBe(404);
  });

  test("is not found once any character has changed", async () => {
    const { url } = await newLink();
    const start = url.indexOf(media.id);
    const changed = [...url.slice(start)].flatMap((character, index) => {
      // These characters would make it another path or parameter.
      if ("/?&=".includes(character)) return [];
      const at = start + index;
      const other = character === "0" ? "1" : "0";
      return [`${url.slice(0, at)}${other}${url.slice(at + 1)}`];
    });
    const names = ["tenant", "expires", "signature", "links", "file"];
    const inValues = changed.filter((one) => names.every((name) => one.includes(name)));
    expect(inValues.length).toBeGreaterThan(140);
    for (const one of inValues) expect([one, (await get(one)).status]).toEqual([one, 404]);
  });

  test("is not found if it is cut off, extended, or of another asset or tenant", async () => {
    const { url } = await newLink();
    const [path, query = ""] = url.split("?");
    const other = dataOf(await upload(tenant, "other", "b.txt"));
    for (const wrong of [
      String(path),
      `${path}?`,
      url.slice(0, -1),
      `${url}0`,
      `${path}?${query.split("&").reverse().join("&")}`,
      `${url}&variant=thumbnail`,
      url.replace("tenant=", "tenant=%30"),
      url.replace(/expires=/, "expires=0"),
      url.replace(/signature=/, "signature=%30"),
      url.replace(/tenant=[^&]+/, `tenant=${randomUUID()}`),
      url.replace(/tenant=[^&]+/, "tenant=x"),
      url.replace(media.id, other.id),
      url.replace(media.id, "no-id"),
      url.replace(media.id, "%00"),
      url.replace(media.id, media.id.toUpperCase()),
      url.replace(/[0-9a-f]*$/, (signature) => signature.toUpperCase()),
    ]) {
      expect([wrong, (await get(wrong)).status]).toEqual([wrong, 404]);
    }
    const { status, bytes } = await get(`${url}&download=1`);
    expect([status, JSON.parse(String(bytes)).error.details[0].path]).toEqual([422, "download"]);
  });

  test("is not found once it has expired", async () => {
    const { url, expiresAt } = await newLink({ expiresInSeconds: 1 });
    await until("the link to expire", async () => (await get(url)).status === 404);
    expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(expiresAt));
  });

  test("is not found once its asset is deleted", async () => {
    const { id } = dataOf(await upload(tenant, "gone", "gone.txt"));
    const { url } = await newLink({}, id);
    expect((await get(url)).status).toBe(200);
    dataOf(await tenant.delete(`/v1/media/${id}`));
    const { status, bytes } = await get(url);
    expect([status, JSON.parse(String(bytes)).error.message]).toEqual([404, "No such media link."]);
  });

  test("is not found once the links of its asset are ended, as often as they are", async () => {
    const { id } = dataOf(await upload(tenant, "passed on", "passed-on.txt"));
    const untouched = await newLink();
    const first = await newLink({}, id);
    const path = `/v1/media/${id}/links`;
    expect(dataOf(await tenant.delete(path))).toEqual({ id, linksEnded: true });
    const second = await newLink({}, id);
    expect([(await get(first.url)).status, (await get(second.url)).status]).toEqual([404, 200]);
    expect((await get(second.url.replace("ended=1", "ended=2"))).status).toBe(404);
    dataOf(await tenant.delete(path));
    const third = await newLink({}, id);
    const links = [first, second, third, untouched];
    const statuses = await Promise.all(links.map(async ({ url }) => (await get(url)).status));
    expect(statuses).toEqual([404, 404, 200, 200]);
    expect(outcome(await content.newTenant().delete(path))).toBe("404 not_found");
  });

  test.each([
    [{ expiresInSeconds: 0 }, "expiresInSeconds"],
    [{ expiresInSeconds: 604_801 }, "expiresInSeconds"],
    [{ expiresInSeconds: 1.5 }, "expiresInSeconds"],
    [{ expiresInSeconds: "60" }, "expiresInSeconds"],
    [{ variant: "huge" }, "variant"],
  ])("is refused for %j", async (body, at) => {
    expect(invalidFields(await tenant.post(`/v1/media/${media.id}/links`, body))).toBe(at);
  });

  test("needs an asset of the tenant that has the variant", async () => {
    const path = `/v1/media/${media.id}/links`;
    expect(outcome(await tenant.post(path, { variant: "large" }))).toBe("404 not_found");
    expect(outcome(await content.newTenant().post(path, {}))).toBe("404 not_found");
    expect(outcome(await tenant.post(`/v1/media/${randomUUID()}/links`, {}))).toBe("404 not_found");
  });

  test("stays valid while its secret is accepted, and new ones are signed with the first secret", async () => {
    const { url } = await newLink();
    const statusAt = async (origin: string, link: string) => {
      const { headers } = content.signRequest(tenant.tenantId, "GET", link);
      return (await fetch(new URL(origin).origin + link, { headers })).status;
    };
    const both = await content.startReplica({ CONTENT_MEDIA_LINK_SECRETS: `${NEW_SECRET},${OLD_SECRET}` });
    const rotated = await content.startReplica({ CONTENT_MEDIA_LINK_SECRETS: NEW_SECRET });
    const ofTenant = content.newTenant(tenant.tenantId, both.url);
    const renewed = dataOf(await ofTenant.post(`/v1/media/${media.id}/links`, {})).url;
    expect([await statusAt(both.url, url), await statusAt(rotated.url, url)]).toEqual([200, 404]);
    expect([await statusAt(both.url, renewed), await statusAt(rotated.url, renewed)]).toEqual([200, 200]);
    expect((await get(renewed)).status).toBe(404);
  });
});
