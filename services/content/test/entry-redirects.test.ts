// When a live entry moves, redirects lead from its old paths straight to the new one. A redirect that a tenant made from an
// old path stays.
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { dataOf, newDraft, newLive, outcome, putType } from "./support/editing.ts";
import {
  type RecordedEvent,
  startTestContent,
  type TestContent,
  type TestTenant,
} from "./support/test-content.ts";

describe("a live entry that moves", () => {
  let content: TestContent;
  let tenant: TestTenant;
  let eventsOf: (id: string) => Promise<RecordedEvent[]>;
  beforeAll(async () => {
    content = await startTestContent();
    eventsOf = await content.recordEvents();
  });
  afterAll(() => content.stop());

  const start = async (slug = "a", more: object = {}) => {
    tenant = content.newTenant();
    await putType(tenant);
    return await newLive(tenant, { title: "A" }, { slug, ...more });
  };
  const move = async (path: string, slug: string) => {
    dataOf(await tenant.patch(path, { slug }));
    dataOf(await tenant.post(`${path}/publish`));
  };
  const redirects = async () => {
    const all: { from: string; to: string }[] = dataOf(await tenant.get("/v1/redirects"));
    return Object.fromEntries(all.map(({ from, to }) => [from, to]));
  };
  /** "+ /a /b" for each redirect added, "- /a /b" for each removed. */
  const moves = async () =>
    (await eventsOf(tenant.tenantId))
      .filter(({ type }) => type.startsWith("redirect."))
      .map(
        ({ type, data: { redirect } }) =>
          `${type === "redirect.added" ? "+" : "-"} ${redirect.from} ${redirect.to}`,
      );
  const versions = async () =>
    (await eventsOf(tenant.tenantId))
      .filter(({ type }) => type.startsWith("redirect."))
      .map(({ data: { redirect } }) => redirect.version);
  const add = async (from: string, to: string, type = 301) =>
    dataOf(await tenant.post("/v1/redirects", { from, to, type }));

  test("leaves a redirect from its old path once it is live at the new one", async () => {
    const { path } = await start();
    await tenant.patch(path, { slug: "b" });
    expect(await redirects()).toEqual({});
    await tenant.post(`${path}/publish`);
    expect(await redirects()).toEqual({ "/article/a": "/article/b" });
    expect(dataOf(await tenant.get("/v1/redirects/resolve?path=/article/a/"))).toMatchObject({ type: 301 });
    expect(await moves()).toEqual(["+ /article/a /article/b"]);
    await tenant.patch(path, { data: { title: "Other" } });
    await tenant.post(`${path}/publish`);
    expect(await moves()).toEqual(["+ /article/a /article/b"]);
  });

  test("back to an old path has no redirect from there", async () => {
    const { path } = await start();
    for (const slug of ["b", "a"]) await move(path, slug);
    expect(await redirects()).toEqual({ "/article/b": "/article/a" });
    expect(await moves()).toEqual([
      "+ /article/a /article/b",
      "- /article/a /article/b",
      "+ /article/b /article/a",
    ]);
    for (const slug of ["c", "b", "a"]) await move(path, slug);
    expect(await redirects()).toEqual({ "/article/b": "/article/a", "/article/c": "/article/a" });
  });

  test("twice has redirects from both old paths straight to the new one", async () => {
    const { path } = await start();
    for (const slug of ["b", "c"]) await move(path, slug);
    expect(await redirects()).toEqual({ "/article/a": "/article/c", "/article/b": "/article/c" });
    expect(await moves()).toEqual([
      "+ /article/a /article/b",
      "- /article/a /article/b",
      "+ /article/a /article/c",
      "+ /article/b /article/c",
    ]);
    expect(await versions()).toEqual([1, 2, 1, 1]);
  });

  test("retargets redirects to its old path, and keeps their type, query and fragment", async () => {
    const { path } = await start();
    await add("/short", "/article/a?utm=x&y=/?#top", 302);
    await add("/plain", "/article/a/", 308);
    await add("/elsewhere", "https://example.com/article/a");
    await add("/near", "/article/ab");
    await move(path, "b");
    expect(await redirects()).toEqual({
      "/short": "/article/b?utm=x&y=/?#top",
      "/plain": "/article/b",
      "/elsewhere": "https://example.com/article/a",
      "/near": "/article/ab",
      "/article/a": "/article/b",
    });
    const types = ["/short", "/plain"].map(
      async (from) => dataOf(await tenant.get(`/v1/redirects/resolve?path=${from}`)).type,
    );
    expect(await Promise.all(types)).toEqual([302, 308]);
  });

  test("keeps an existing redirect from its old path, and removes one from its new path", async () => {
    const { path } = await start();
    await add("/article/a", "/promotion");
    await add("/article/b", "https://example.com/");
    await move(path, "b");
    expect(await redirects()).toEqual({ "/article/a": "/promotion" });
    expect((await moves()).at(-1)).toBe("- /article/b https://example.com/");
  });

  test("is not hidden by a redirect from a path that an entry left", async () => {
    const { path } = await start();
    await move(path, "b");
    await tenant.post(`${path}/unpublish`);
    await move(path, "a");
    expect(await redirects()).toEqual({});
    await move(path, "c");
    await newLive(tenant, { title: "Another" }, { slug: "a" });
    expect(await redirects()).toEqual({});
  });

  test("removes a redirect from its new path and retargets one to its old path", async () => {
    const { path } = await start();
    await add("/middle", "/article/a");
    await add("/article/b", "/middle?x=1");
    await move(path, "b");
    expect(await redirects()).toEqual({ "/middle": "/article/b", "/article/a": "/article/b" });
  });

  test("has its locale in the redirect", async () => {
    const { path } = await start("a", { locale: "de-at" });
    await move(path, "b");
    expect(await redirects()).toEqual({ "/de-AT/article/a": "/de-AT/article/b" });
  });

  test("leaves no redirect if it was not live at the old path", async () => {
    const { path } = await start();
    const draft = await newDraft(tenant, { title: "B" }, { slug: "draft" });
    await tenant.patch(draft.path, { slug: "draft-2" });
    await tenant.post(`${draft.path}/publish`);
    await tenant.post(`${path}/unpublish`);
    await move(path, "b");
    expect(await redirects()).toEqual({});
  });

  test("causes no loop when others move and redirects are created concurrently", async () => {
    await start("x0");
    const entries = [];
    for (let index = 1; index <= 6; index += 1) {
      entries.push(await newLive(tenant, { title: "A" }, { slug: `from-${index}` }));
    }
    const outcomes = await Promise.all(
      entries.flatMap(({ path }, index) => [
        move(path, `to-${index + 1}`).then(() => "moved"),
        tenant
          .post("/v1/redirects", { from: `/article/to-${index + 1}`, to: `/article/from-${index + 1}` })
          .then(outcome),
      ]),
    );
    for (const one of outcomes) expect(["moved", "201", "409 redirect_loop"]).toContain(one);
    const all = await redirects();
    for (let index = 1; index <= 6; index += 1) {
      expect([all[`/article/from-${index}`], all[`/article/to-${index}`]]).toEqual([
        `/article/to-${index}`,
        undefined,
      ]);
    }
  });

  test("does not bring back a redirect that is deleted at the same time", async () => {
    const { path } = await start();
    for (let round = 0; round < 10; round += 1) {
      const { id } = await add(`/short-${round}`, `/article/${round === 0 ? "a" : `m-${round - 1}`}`);
      const [, removed] = await Promise.all([move(path, `m-${round}`), tenant.delete(`/v1/redirects/${id}`)]);
      // 200: the redirect was deleted. 404: the move had already replaced it.
      const isThere = `/short-${round}` in (await redirects());
      expect([removed.status, isThere]).toEqual(removed.status === 200 ? [200, false] : [404, true]);
    }
  });
});
