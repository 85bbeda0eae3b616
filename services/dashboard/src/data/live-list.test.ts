import { newItems, type Page, refreshed, withHead } from "./live-list.ts";

interface Order {
  readonly id: string;
  readonly status?: string;
}

const items = (ids: string): Order[] => [...ids].map((id) => ({ id }));
const page = (ids: string, nextCursor: string | null = `after ${ids.at(-1)}`): Page<Order> => ({
  data: items(ids),
  nextCursor,
});
const idsOf = (list: readonly Order[]) => list.map(({ id }) => id).join("");

describe("a list that is shown, compared with its first page now", () => {
  test("shows changed items in their places, and no new ones", () => {
    const head = { data: [{ id: "n" }, { id: "a", status: "paid" }, { id: "b" }], nextCursor: "after b" };
    expect(refreshed(items("abcd"), head)).toEqual([
      { id: "a", status: "paid" },
      { id: "b" },
      { id: "c" },
      { id: "d" },
    ]);
    expect(idsOf(newItems(items("abcd"), head))).toBe("n");
  });

  test("drops what is gone, as far as the first page reaches", () => {
    expect(idsOf(refreshed(items("abcdef"), page("acd")))).toBe("acdef");
    expect(idsOf(refreshed(items("abc"), page("b", null)))).toBe("b");
    expect(idsOf(refreshed(items("abc"), page("xyz")))).toBe("abc");
  });

  test("gets the new items in their order, and keeps the other pages", () => {
    const pages = withHead([page("abc"), page("def")], page("nab"));
    expect(pages.map(({ data }) => idsOf(data))).toEqual(["nabc", "def"]);
    expect(pages.map(({ nextCursor }) => nextCursor)).toEqual(["after c", "after f"]);
    expect(withHead([page("abc"), page("def")], page("acd")).map(({ data }) => idsOf(data))).toEqual([
      "acd",
      "ef",
    ]);
  });

  test("starts anew after a gap, or if there is one page", () => {
    expect(withHead([page("abc"), page("def")], page("xyz"))).toEqual([page("xyz")]);
    expect(withHead([page("abc")], page("nab", null))).toEqual([page("nab", null)]);
  });
});
