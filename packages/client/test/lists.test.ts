// Lists and feeds return all pages in order, and continue after a crash without skipping anything.
import { createFeed } from "../src/pages/feed.ts";
import { reset, type Step, serveScript, success } from "./support/scripted-server.ts";

const page =
  (pages: Record<string, [string[], string | null]>): Step =>
  (res, request) => {
    const { searchParams } = new URL(request.path, "http://x");
    const [ids = [], nextCursor = null] = pages[searchParams.get("cursor") ?? ""] ?? [];
    success(
      ids.map((id) => ({ id })),
      { nextCursor },
    )(res, request);
  };

const THREE = page({ "": [["a", "b"], "c1"], c1: [["c", "d"], "c2"], c2: [["e"], null] });

async function idsOf(items: AsyncIterable<{ id: string }>): Promise<string[]> {
  const ids = [];
  for await (const { id } of items) ids.push(id);
  return ids;
}

describe("a list", () => {
  test("is read page by page, with the query of the first, in as few requests as possible", async () => {
    await using server = await serveScript(THREE);
    const placed = server.client.orders.list({ status: ["placed"] });
    expect(await idsOf(placed)).toEqual(["a", "b", "c", "d", "e"]);
    expect(server.requests.map(({ path }) => path)).toEqual([
      "/v1/orders?status=placed&limit=100",
      "/v1/orders?status=placed&limit=100&cursor=c1",
      "/v1/orders?status=placed&limit=100&cursor=c2",
    ]);
  });

  test("is not requested before it is read", async () => {
    await using server = await serveScript(THREE);
    server.client.orders.list();
    expect(server.requests).toHaveLength(0);
  });

  test("repeats the request of a page that fails, and not those before", async () => {
    await using server = await serveScript(THREE, reset, THREE);
    expect(await idsOf(server.client.orders.list())).toEqual(["a", "b", "c", "d", "e"]);
    expect(server.requests).toHaveLength(4);
  });

  test("continues after each item exactly where it was, in another client too", async () => {
    await using server = await serveScript(THREE);
    const all = ["a", "b", "c", "d", "e"];
    for (const crashAfter of all) {
      const before = server.client.orders.list();
      const seen: string[] = [];
      expect(before.cursor).toBeUndefined();
      for await (const { id } of before) {
        seen.push(id);
        if (id === crashAfter) break;
      }
      const after = server.client.orders.list({ cursor: before.cursor });
      expect([...seen, ...(await idsOf(after))]).toEqual(all);
    }
  });

  test("leaves nothing out if the last item is gone meanwhile: its page is read again", async () => {
    await using server = await serveScript(page({ "": [["a", "c", "d"], null] }));
    const list = server.client.orders.list({ cursor: "~b" });
    expect(await idsOf(list)).toEqual(["a", "c", "d"]);
  });

  test("leaves out what is newer than where it was", async () => {
    await using server = await serveScript(page({ "": [["new", "a", "b"], null] }));
    expect(await idsOf(server.client.orders.list({ cursor: "~a" }))).toEqual(["b"]);
  });

  test("is read as pages, as one page, or into an array that has a limit", async () => {
    await using server = await serveScript(THREE);
    const { orders } = server.client;
    const pages = [];
    for await (const { data, nextCursor } of orders.list().pages()) pages.push([data.length, nextCursor]);
    expect(pages).toEqual([
      [2, "c1"],
      [2, "c2"],
      [1, null],
    ]);
    expect(await orders.list({ cursor: "c1" }).page()).toEqual({
      data: [{ id: "c" }, { id: "d" }],
      nextCursor: "c2",
    });
    expect(await orders.list().toArray({ limit: 3 })).toEqual([{ id: "a" }, { id: "b" }, { id: "c" }]);
    expect(await orders.list().toArray({ limit: 1_000 })).toHaveLength(5);
    expect(server.requests.at(-1)?.path).toContain("limit=100");
  });

  test("rejects when its signal aborts: a list that is not complete must not look complete", async () => {
    const controller = new AbortController();
    await using server = await serveScript(THREE);
    const list = server.client.orders.list({}, { signal: controller.signal });
    const seen: string[] = [];
    const reading = (async () => {
      for await (const { id } of list) {
        seen.push(id);
        controller.abort();
      }
    })();
    await expect(reading).rejects.toMatchObject({ code: "aborted" });
    expect(seen).toEqual(["a", "b"]);
  });
});

describe("a feed", () => {
  /** Serves events e1, e2, … with two on a page. The cursor is the number of events before the page. */
  const feed = (query: Record<string, unknown>, options: { signal?: AbortSignal } = {}, last = 5) => {
    const requested: Record<string, unknown>[] = [];
    const events = createFeed<{ id: string }>(
      async (page) => {
        requested.push(page);
        const from = page.after === "now" ? last : Number(page.after ?? 0);
        const to = Math.min(last, from + 2);
        const data = Array.from({ length: to - from }, (_, index) => ({ id: `e${from + index + 1}` }));
        return { data, page: { nextCursor: String(to), hasMore: to < last } } as never;
      },
      query,
      options,
    );
    return { events, requested };
  };

  test("goes on for ever, and ends without an error when its signal aborts", async () => {
    const controller = new AbortController();
    const { events, requested } = feed({ types: ["order.paid"] }, controller);
    const pages = [];
    for await (const { data, nextCursor } of events.pages()) {
      pages.push([data.length, nextCursor]);
      if (pages.length === 5) controller.abort();
    }
    expect(pages).toEqual([
      [2, "2"],
      [2, "4"],
      [1, "5"],
      [0, "5"],
      [0, "5"],
    ]);
    expect(requested[4]).toEqual({ types: ["order.paid"], limit: 100, waitSeconds: 20, after: "5" });
  });

  test("stops between two events of a page", async () => {
    const controller = new AbortController();
    const { events } = feed({}, controller);
    const seen = [];
    for await (const { id } of events) {
      seen.push(id);
      if (id === "e3") controller.abort();
    }
    expect(seen).toEqual(["e1", "e2", "e3"]);
    expect(events.cursor).toBe("2~e3");
  });

  test("continues after each event exactly where it was", async () => {
    for (const crashAfter of ["e1", "e2", "e3", "e4"]) {
      const { events } = feed({});
      const seen: string[] = [];
      for await (const { id } of events) {
        seen.push(id);
        if (id === crashAfter) break;
      }
      for await (const { id } of feed({ after: events.cursor }).events) {
        seen.push(id);
        if (id === "e5") break;
      }
      expect(seen).toEqual(["e1", "e2", "e3", "e4", "e5"]);
    }
  });

  test("turns now into a cursor without waiting, so that a wait that fails skips nothing", async () => {
    const { events, requested } = feed({ after: "now" });
    for await (const _ of events.pages()) if (requested.length === 2) break;
    expect(requested.map(({ after, waitSeconds }) => [after, waitSeconds])).toEqual([
      ["now", 0],
      ["5", 20],
    ]);
  });

  test("moves its cursor while nothing matches", async () => {
    const controller = new AbortController();
    const events = createFeed(
      async () => {
        controller.abort();
        return { data: [], page: { nextCursor: "later", hasMore: false } } as never;
      },
      { after: "old" },
      controller,
    );
    for await (const _ of events) throw new Error("an event");
    expect(events.cursor).toBe("later");
  });
});
