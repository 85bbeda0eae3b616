// Redirects over HTTP (interface §5): the normal form of paths, one redirect per path, and separate tenants.

import { randomUUID } from "node:crypto";
import { invalidFields } from "@tradepost/testing";
import { faults, outcome } from "./support/editing.ts";
import { sharedTestContent, type TestTenant } from "./support/test-content.ts";

const content = await sharedTestContent();

describe("redirects", () => {
  const add = (tenant: TestTenant, from: string, to: string) => tenant.post("/v1/redirects", { from, to });
  const resolve = (tenant: TestTenant, path: string) =>
    tenant.get(`/v1/redirects/resolve?path=${encodeURIComponent(path)}`);

  test("a redirect is created with type 301 by default, and read, listed and resolved", async () => {
    const tenant = content.newTenant();
    const { status, body, headers } = await add(tenant, "/old", "/new?ref=1#top");
    expect(status).toBe(201);
    expect(headers.get("location")).toBe(`/v1/redirects/${body.data.id}`);
    expect(headers.get("etag")).toBe('"1"');
    expect(body).toEqual({
      success: true,
      data: {
        id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
        from: "/old",
        to: "/new?ref=1#top",
        type: 301,
        version: 1,
        createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      },
    });
    expect((await tenant.get(`/v1/redirects/${body.data.id}`)).body).toEqual(body);
    expect((await resolve(tenant, "/old")).body).toEqual(body);
    const listed = { success: true, data: [body.data], page: { nextCursor: null } };
    expect((await tenant.get("/v1/redirects")).body).toEqual(listed);
  });

  test("a redirect replaces another in one step, or changes nothing", async () => {
    const tenant = content.newTenant();
    const before = (await add(tenant, "/old", "/gone")).body.data;
    await add(tenant, "/new", "/end");
    const replace = (body: object) =>
      tenant.post("/v1/redirects", { from: "/old", to: "/new", replaces: before.id, ...body });
    expect(outcome(await replace({ from: "/new", to: "/x" }))).toBe("409 redirect_exists");
    expect(outcome(await replace({ from: "/end", to: "/new" }))).toBe("409 redirect_loop");
    expect((await resolve(tenant, "/old")).body.data).toEqual(before);
    const key = { "idempotency-key": randomUUID() };
    const input = { from: "/old", to: "/new", type: 302, replaces: before.id };
    const { status, body } = await tenant.post("/v1/redirects", input, key);
    expect([status, (await resolve(tenant, "/old")).body]).toEqual([201, body]);
    expect(body.data).toMatchObject({ from: "/old", to: "/new", type: 302, version: 1 });
    expect((await tenant.post("/v1/redirects", input, key)).body).toEqual(body);
    const again = await replace({});
    expect(invalidFields(again)).toBe("replaces");
    expect(faults(again)).toEqual({ replaces: "no such redirect" });
    const [, , ...changes] = await tenant.feed(4);
    expect(changes.map(({ type }) => type)).toEqual(["redirect.removed", "redirect.added"]);
  });

  test.each([301, 302, 307, 308])("may be of type %i", async (type) => {
    const redirect = { from: "/a", to: "https://b.example/c", type };
    expect((await content.newTenant().post("/v1/redirects", redirect)).body.data).toMatchObject(redirect);
  });

  test.each([
    ["/old/", "/old", "/old//"],
    ["/a b/ü", "/a%20b/%C3%BC", "/a%20b/ü/"],
  ])("from %s is stored as %s and is the same path as %s", async (path, normal, alike) => {
    const tenant = content.newTenant();
    const { body } = await add(tenant, path, "https://elsewhere.example");
    expect(body.data.from).toBe(normal);
    expect((await resolve(tenant, alike)).body.data.id).toBe(body.data.id);
    expect(outcome(await add(tenant, alike, "/other"))).toBe("409 redirect_exists");
  });

  test("the list finds the redirect from a path, in any spelling", async () => {
    const tenant = content.newTenant();
    const { id } = (await add(tenant, "/a b", "/b")).body.data;
    await add(tenant, "/other", "/b");
    for (const from of ["/a b", "/a%20b", "/%61%20b", "/a%20b/", "/x/../a b"]) {
      const { body } = await tenant.get(`/v1/redirects?from=${encodeURIComponent(from)}`);
      expect([from, body]).toMatchObject([from, { data: [{ id }], page: { nextCursor: null } }]);
    }
    expect((await tenant.get("/v1/redirects?from=/A")).body.data).toEqual([]);
    expect((await content.newTenant().get("/v1/redirects?from=/other")).body.data).toEqual([]);
    expect(invalidFields(await tenant.get("/v1/redirects?from=old"))).toBe("from");
  });

  test("paths that differ in case or in a segment are different", async () => {
    const tenant = content.newTenant();
    await add(tenant, "/Old", "/new");
    for (const path of ["/old", "/Old/deeper", "/", "/new"]) {
      expect(outcome(await resolve(tenant, path))).toBe("404 not_found");
    }
    expect(outcome(await add(tenant, "/old", "/new"))).toBe("201");
  });

  test.each<[string, Record<string, unknown>, string]>([
    ["no from", { from: undefined }, "from"],
    ["a from that is no path", { from: "/old?x=1" }, "from"],
    ["no to", { to: undefined }, "to"],
    ["a to that runs script", { to: "javascript:alert(1)" }, "to"],
    ["type 303", { type: 303 }, "type"],
    ["a type in quotes", { type: "301" }, "type"],
    ["several faults", { from: "x", to: 1, type: 0, note: "" }, "from note to type"],
  ])("refuses %s with 422 and names every field at fault", async (_what, fields, invalid) => {
    const tenant = content.newTenant();
    const refused = await tenant.post("/v1/redirects", { from: "/old", to: "/new", ...fields });
    expect(invalidFields(refused)).toBe(invalid);
    expect((await tenant.get("/v1/redirects")).body.data).toEqual([]);
  });

  test.each([
    ["", "path"],
    ["?path=old", "path"],
    ["?path=%2Fold%3Fx", "path"],
    ["?path=/a&path=/b", "path"],
    ["?path=/a&from=/b", "from"],
  ])("resolve%s is 422", async (query, field) => {
    expect(invalidFields(await content.newTenant().get(`/v1/redirects/resolve${query}`))).toBe(field);
  });

  test("a deleted redirect is not found, and its path is free", async () => {
    const tenant = content.newTenant();
    const { id } = (await add(tenant, "/old", "/new")).body.data;
    const removed = await tenant.delete(`/v1/redirects/${id}`);
    expect([removed.status, removed.body]).toEqual([200, { success: true, data: { id, deleted: true } }]);
    expect(outcome(await tenant.get(`/v1/redirects/${id}`))).toBe("404 not_found");
    expect(outcome(await resolve(tenant, "/old"))).toBe("404 not_found");
    expect(outcome(await tenant.delete(`/v1/redirects/${id}`))).toBe("404 not_found");
    expect((await tenant.get("/v1/redirects")).body.data).toEqual([]);
    expect(outcome(await add(tenant, "/old", "/newer"))).toBe("201");
  });

  test("a tenant reads, resolves, deletes and chains only its own redirects", async () => {
    const [ours, theirs] = [content.newTenant(), content.newTenant()];
    const { id } = (await add(ours, "/a", "/b")).body.data;
    for (const response of [
      await theirs.get(`/v1/redirects/${id}`),
      await theirs.delete(`/v1/redirects/${id}`),
      await resolve(theirs, "/a"),
      await theirs.get(`/v1/redirects/${randomUUID()}`),
      await theirs.get("/v1/redirects/not-an-id"),
    ]) {
      expect(outcome(response)).toBe("404 not_found");
    }
    expect((await theirs.get("/v1/redirects")).body.data).toEqual([]);
    expect(outcome(await add(theirs, "/b", "/a"))).toBe("201");
    expect(outcome(await add(theirs, "/c", "/d"))).toBe("201");
    expect((await resolve(ours, "/a")).body.data.id).toBe(id);
  });
});
