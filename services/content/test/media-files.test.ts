// How files are served: safe headers, ranges, and 304 if the client has the file (RFC 9110).
import { download, picture, upload, uploadAndWait } from "./support/media-client.ts";
import { sharedTestContent } from "./support/test-content.ts";

const content = await sharedTestContent();
const tenant = content.newTenant();
const { data } = (await upload(tenant, "0123456789", "ä.txt")).body;
const url = data.url;
const etag = `"${data.sha256}"`;

describe("a file", () => {
  const get = (headers: Record<string, string> = {}, method?: string) =>
    download(content, tenant, url, headers, method);

  test("has headers that keep a browser from running it", async () => {
    const { status, headers, bytes } = await get();
    expect([status, String(bytes)]).toEqual([200, "0123456789"]);
    expect(Object.fromEntries(headers)).toMatchObject({
      "content-type": "application/octet-stream",
      "content-length": "10",
      "content-disposition": "attachment; filename=\"?.txt\"; filename*=UTF-8''%C3%A4.txt",
      "x-content-type-options": "nosniff",
      "content-security-policy": "default-src 'none'; sandbox",
      "cache-control": "private, max-age=31536000, immutable",
      "accept-ranges": "bytes",
      etag,
    });
  });

  test("that is an image is shown inline, and so are its derivatives, each with its own tag", async () => {
    const media = await uploadAndWait(tenant, await (await picture(10, 10)).png().toBuffer(), "a.png");
    const original = await download(content, tenant, media.url);
    const small = await download(content, tenant, media.variants[0].url);
    expect(original.headers.get("content-disposition")).toBe("inline; filename=a.png");
    expect(small.headers.get("content-disposition")).toBe("inline; filename=a-thumbnail.webp");
    expect(small.headers.get("etag")).not.toBe(original.headers.get("etag"));
    expect((await tenant.get(`${media.url}?variant=huge`)).status).toBe(422);
  });

  test("is not sent again to a client that has it", async () => {
    for (const tag of [etag, `W/${etag}`, `"x", ${etag}`, "*"]) {
      const { status, headers, bytes } = await get({ "if-none-match": tag });
      expect([status, bytes.length, headers.get("etag")]).toEqual([304, 0, etag]);
    }
    expect((await get({ "if-none-match": '"x"' })).status).toBe(200);
  });

  test("has the same headers for HEAD as for GET", async () => {
    const { status, headers, bytes } = await get({}, "HEAD");
    expect([status, headers.get("content-length"), bytes.length]).toEqual([200, "10", 0]);
  });

  test.each([
    ["bytes=2-4", "234", "bytes 2-4/10"],
    ["bytes=7-", "789", "bytes 7-9/10"],
    ["bytes=-2", "89", "bytes 8-9/10"],
    ["bytes=-99", "0123456789", "bytes 0-9/10"],
    ["bytes=0-", "0123456789", "bytes 0-9/10"],
    ["bytes=0-99", "0123456789", "bytes 0-9/10"],
    ["bytes=9-99999999999999999999", "9", "bytes 9-9/10"],
    ["BYTES=0-0", "0", "bytes 0-0/10"],
    ["bytes= 0-1, ", "01", "bytes 0-1/10"],
  ])("is sent in part for the range %s", async (range, part, contentRange) => {
    const { status, headers, bytes } = await get({ range });
    expect([status, String(bytes), headers.get("content-range")]).toEqual([206, part, contentRange]);
  });

  test.each([
    "bytes=x",
    "bytes",
    "bytes=",
    "bytes=-",
    "bytes=--1",
    "bytes=4-2",
    "bytes=0-1-2",
    "bytes=0x1-2",
    "lines=1-2",
    "bytes=0-1,5-6",
    "bytes=0-1,2-3",
    "bytes=10-,-1",
  ])("is sent whole for the range %s", async (range) => {
    const { status, headers, bytes } = await get({ range });
    expect([status, headers.get("content-range"), String(bytes)]).toEqual([200, null, "0123456789"]);
  });

  test.each(["bytes=10-", "bytes=10-10", "bytes=99-100", "bytes=-0"])(
    "responds with 416 for the range %s",
    async (range) => {
      const { status, headers, bytes } = await get({ range });
      expect([status, headers.get("content-range")]).toEqual([416, "bytes */10"]);
      expect(JSON.parse(String(bytes)).error.code).toBe("range_not_satisfiable");
    },
  );

  test("that is empty has no range, and a HEAD ignores ranges", async () => {
    const empty = (await upload(tenant, "")).body.data.url;
    const { status, headers } = await download(content, tenant, empty, { range: "bytes=0-" });
    expect([status, headers.get("content-range")]).toEqual([416, "bytes */0"]);
    expect((await download(content, tenant, empty, { range: "bytes=-5" })).status).toBe(200);
    for (const range of ["bytes=0-4", "bytes=10-"]) expect((await get({ range }, "HEAD")).status).toBe(200);
  });

  test("is sent in part for its tag in If-Range, and whole for another, a weak one or a date", async () => {
    const ask = async (ifRange: string) => (await get({ range: "bytes=2-4", "if-range": ifRange })).status;
    expect(await ask(etag)).toBe(206);
    for (const other of ['"other"', `W/${etag}`, "Fri, 27 Nov 2026 12:00:00 GMT"]) {
      expect(await ask(other)).toBe(200);
    }
  });
});
