// Which uploads POST /v1/media accepts and which it refuses. A refused upload leaves neither a row nor a file.
import { createHash } from "node:crypto";
import { readdir } from "node:fs/promises";
import { connect } from "node:net";
import { invalidFields, until } from "@tradepost/testing";
import { outcome } from "./support/editing.ts";
import { download, FORM, form, type Part, upload } from "./support/media-client.ts";
import { ownTestContent, type TestTenant } from "./support/test-content.ts";

const MIB = 1024 * 1024;
const file: Part = { name: "file", filename: "a.bin", bytes: "abc" };

let tenant: TestTenant;
const content = await ownTestContent();
beforeEach(() => {
  tenant = content.newTenant();
});

describe("an upload", () => {
  const send = (body: Buffer, headers: Record<string, string> = FORM) =>
    tenant.send("POST", "/v1/media", { headers, body });
  const nothingIsLeft = () =>
    until("nothing to be left", async () => {
      const rows = await content.sql(
        "select 1 from media where tenant_id = $1 union all select 1 from storage_leftovers where tenant_id = $1",
        [tenant.tenantId],
      );
      const files = await readdir(`${content.mediaDir}/${tenant.tenantId}`).catch(() => []);
      return rows.length + files.length === 0;
    });

  test("returns the asset and its location", async () => {
    const { status, headers, body } = await upload(tenant, "hello", "../../etc/notes.txt");
    const { id } = body.data;
    expect(status).toBe(201);
    expect(headers.get("location")).toBe(`/v1/media/${id}`);
    expect(body.data).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
      filename: "notes.txt",
      altText: null,
      contentType: "application/octet-stream",
      sizeBytes: 5,
      sha256: createHash("sha256").update("hello").digest("hex"),
      status: "ready",
      width: null,
      height: null,
      url: `/v1/media/${id}/file`,
      variants: [],
      createdAt: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/),
    });
    expect((await tenant.get(`/v1/media/${id}`)).body.data).toEqual(body.data);
    const listed = { success: true, data: [body.data], page: { nextCursor: null } };
    expect((await tenant.get("/v1/media")).body).toEqual(listed);
  });

  test("gets the filename of filename* whatever the order", async () => {
    const body = form({ ...file, filename: "na_ve.txt\"; filename*=\"UTF-8''na%C3%AFve.txt" })
      .toString("latin1")
      .replace(`"UTF-8''na%C3%AFve.txt"`, "UTF-8''na%C3%AFve.txt");
    expect((await send(Buffer.from(body, "latin1"))).body.data.filename).toBe("naïve.txt");
    const quoted = { "content-type": `Multipart/Form-Data; charset=utf-8; boundary="the-boundary"` };
    expect((await send(form(file), quoted)).status).toBe(201);
  });

  test("of an empty file is an asset of 0 bytes", async () => {
    const { body } = await upload(tenant, "");
    expect(body.data).toMatchObject({ sizeBytes: 0, status: "ready" });
    expect((await download(content, tenant, body.data.url)).bytes.length).toBe(0);
  });

  test("of exactly 25 MiB is stored and read completely", async () => {
    const bytes = Buffer.alloc(25 * MIB, "0123456789abcdef!");
    const { status, body } = await upload(tenant, bytes);
    expect(status).toBe(201);
    expect((await download(content, tenant, body.data.url)).bytes.equals(bytes)).toBe(true);
  });

  test("of more than 25 MiB is 413", async () => {
    for (const size of [25 * MIB + 1, 27 * MIB])
      expect(outcome(await upload(tenant, Buffer.alloc(size)))).toBe("413 payload_too_large");
    await nothingIsLeft();
  });

  test.each<[string, Part[], string]>([
    ["without a file", [], "file"],
    ["with a field in place of the file", [{ name: "file", bytes: "x" }], "file"],
    ["with two files", [file, file], "file"],
    ["with a field next to the file", [file, { name: "title", bytes: "x" }], "title"],
    ["with another file next to it", [file, { name: "other", filename: "b", bytes: "x" }], "other"],
  ])("%s is 422", async (_what, parts, path) => {
    expect(invalidFields(await send(form(...parts)))).toBe(path);
    await nothingIsLeft();
  });

  test.each([
    ["application/json", "{}"],
    ["multipart/form-data", "x"],
    ["multipart/form-data; charset=utf-8", "x"],
    [`multipart/form-data; boundary=${"x".repeat(300)}`, "x"],
    ["application/x-www-form-urlencoded", "file=x"],
  ])("with the content type %s is 415", async (type, body) => {
    expect((await send(Buffer.from(body), { "content-type": type })).status).toBe(415);
  });

  test("that ends in the middle of the form is 400", async () => {
    const whole = form({ ...file, bytes: "x".repeat(100_000) });
    expect((await send(whole.subarray(0, 90_000))).body.error?.code).toBe("bad_request");
    await nothingIsLeft();
  });

  test("whose connection breaks leaves nothing", async () => {
    const { url, headers } = content.signRequest(tenant.tenantId, "POST", "/v1/media");
    const lines = Object.entries({ ...headers, ...FORM, "content-length": String(9 * MIB) });
    const socket = connect(Number(new URL(url).port), "127.0.0.1");
    socket.write(
      `POST /v1/media HTTP/1.1\r\nHost: x\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n`,
    );
    socket.write(form({ ...file, bytes: Buffer.alloc(5 * MIB) }).subarray(0, 4 * MIB));
    await until("the upload to be registered", async () => {
      const leftovers = "select from storage_leftovers where tenant_id = $1";
      return (await content.sql(leftovers, [tenant.tenantId])).length === 1;
    });
    socket.destroy();
    await nothingIsLeft();
  });

  test("is deleted with its file", async () => {
    const { id, url } = (await upload(tenant, "x")).body.data;
    expect((await tenant.delete(`/v1/media/${id}`)).body.data).toEqual({ id, deleted: true });
    for (const path of [`/v1/media/${id}`, url]) expect((await tenant.get(path)).status).toBe(404);
    expect((await tenant.delete(`/v1/media/${id}`)).status).toBe(404);
    await nothingIsLeft();
  });
});
