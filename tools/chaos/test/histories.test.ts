// What chaos reports of the histories of redirects and of the readers of a feed.
import { describe, expect, test } from "@jest/globals";
import { feedFaults } from "../src/history/feed-reader.ts";
import { linearize } from "../src/history/linearize.ts";
import {
  type RedirectRequest,
  type RedirectResponse,
  redirectModel,
} from "../src/history/redirect-workload.ts";

describe("the history of a redirect", () => {
  const created = (to: string) =>
    [
      { name: "create", to },
      { status: 201, to: [to] },
    ] as const;
  const deleted = (to: string) =>
    [
      { name: "delete", to },
      { status: 200, to: [] },
    ] as const;
  const exists = (to: string) =>
    [
      { name: "create", to },
      { status: 409, code: "redirect_exists" },
    ] as const;
  const resolved = (to: string) => [{ name: "resolve" }, { status: 200, to: [to] }] as const;
  const listed = (...to: string[]) => [{ name: "list" }, { status: 200, to }] as const;
  const unanswered = (request: RedirectRequest) => [request, null] as const;

  test.each([
    ["one after the other", [created("a"), resolved("a"), exists("b"), deleted("a"), listed(), created("b")]],
    ["a creation that took effect later", [unanswered({ name: "create", to: "a" }), listed(), resolved("a")]],
    ["a creation without effect", [unanswered({ name: "create", to: "a" }), created("b"), listed("b")]],
    ["a deletion that took effect", [created("a"), unanswered({ name: "delete", to: "a" }), created("b")]],
  ])("is linearizable: %s", (_, steps) => {
    expect(outcomeOf(steps)).toBe("linearizable");
  });

  test.each([
    ["two of one path", [created("a"), created("b")]],
    ["a list of two", [created("a"), listed("a", "b")]],
    ["one that is back", [created("a"), deleted("a"), resolved("a")]],
    ["one that is deleted twice", [created("a"), deleted("a"), deleted("a")]],
    ["one that is gone", [created("a"), listed()]],
  ])("is not linearizable: %s", (_, steps) => {
    expect(outcomeOf(steps)).toBe("not linearizable");
  });

  /** Of operations one after the other. */
  function outcomeOf(steps: readonly (readonly [RedirectRequest, RedirectResponse | null])[]): string {
    const operations = steps.map(([request, response], index) => ({
      ...{ request, response, startedAt: 2 * index },
      endedAt: response === null ? Number.POSITIVE_INFINITY : 2 * index + 1,
    }));
    return linearize(redirectModel, operations).outcome;
  }
});

test.each([
  ["all entries", ["1 placed", "2 paid"], 0],
  ["a gap", ["1 placed", "3 refunded"], 1],
  ["the wrong order", ["2 paid", "1 placed"], 1],
  ["too few", ["1 placed"], 1],
  ["another entry", ["1 placed", "2 paid", "3 refunded"], 1],
])("a reader of the feed that saw %s", (_, entries, faults) => {
  const timelines = new Map([["order", ["2 paid", "1 placed"]]]);
  expect(feedFaults(timelines, new Map([["order", entries]]))).toHaveLength(faults);
  expect(feedFaults(timelines, new Map())).toHaveLength(1);
});
