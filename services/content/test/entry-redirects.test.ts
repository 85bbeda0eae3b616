// When a live entry moves, redirects lead from its old paths straight to the new one. A redirect that a tenant made from an
// old path stays.
import { dataOf, newDraft, newLive, outcome, putType } from "./support/editing.ts";
import { sharedTestContent, type TestTenant } from "./support/test-content.ts";

let tenant: TestTenant;
const content = await sharedTestContent();

describe("a live entry that moves", () => {
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
    (await redirectEvents()).map(
      ({ type, data: { redirect } }) =>
        `${type === "redirect.added" ? "+" : "-"} ${redirect.from} ${redirect.to}`,
    );
  const redirectEvents = async () =>
    (await content.events(tenant.tenantId)).filter(({ type }) => type.startsWith("redirect."));
  const add = async (from: string, to: string, type = 301) =>
    dataOf(await tenant.post("/v1/redirects", { from, to, type }));

  test("leaves a redirect from its old path once it is live at the new one", async () => {
    const { path } = await start();
    await tenant.patch(path, { slug: "b" });
    expect(await redirects()).toEqual({});
    await tenant.post(`${path}/publish`);
    expect(await redirects()).toEqual({ "/article/a": "/article/b" });
    expect(dataOf(await tenant.get("/v1/redirects/resolve?path=/article/a/"))).toMatchObject({ type: 301 });
    const stranger = content.newTenant();
    expect(outcome(await stranger.get("/v1/redirects/resolve?path=/article/a"))).toBe("404 not_found");
    expect(dataOf(await stranger.get("/v1/entries"))).toEqual([]);
    expect(await moves()).toEqual(["+ /article/a /article/b"]);
    await tenant.patch(path, { data: { title: "Other" } });
    await tenant.post(`${path}/publish`);
    expect(await moves()).toEqual(["+ /article/a /article/b"]);
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
    const versions = (await redirectEvents()).map(({ data }) => data.redirect.version);
    expect(versions).toEqual([1, 2, 1, 1]);
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
      expect(all[`/article/from-${index}`]).toBe(`/article/to-${index}`);
      expect(all).not.toHaveProperty([`/article/to-${index}`]);
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
