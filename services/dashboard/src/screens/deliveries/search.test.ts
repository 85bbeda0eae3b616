import { describe, expect, test } from "@jest/globals";
import { deliveriesSearch, queryOf } from "./search.ts";

const ID = "0199a1b2-0000-7000-8000-00000000abcd";

describe("the filters in the address", () => {
  test.each([
    [{}, {}],
    [
      { status: "failed", type: "redirect.added", outcome: "timeout", subscriptionId: ID },
      { status: "failed", type: "redirect.added", outcome: "timeout", subscriptionId: ID },
    ],
    [{ status: "lost", type: "order.updated", outcome: "toString", subscriptionId: "x" }, {}],
    [{ statusCode: 500 }, { statusCode: 500 }],
    [{ statusCode: "404" }, { statusCode: 404 }],
    [{ statusCode: "" }, {}],
    [{ statusCode: 99 }, {}],
    [{ statusCode: "5xx" }, {}],
    [{ eventId: ` ${ID} ` }, { eventId: ID }],
    [{ eventId: 1234 }, { eventId: "1234" }],
    [{ eventId: " " }, {}],
    [{ from: "2026-11-23T05:00Z", to: "soon" }, { from: "2026-11-23T05:00:00.000Z" }],
    [{ page: 3 }, {}],
  ])("%j becomes %j", (typed, search) => expect(deliveriesSearch(typed)).toEqual(search));

  test("the times limit when a delivery was created", () => {
    const [from, to] = ["2026-11-23T05:00:00.000Z", "2026-11-24T05:00:00.000Z"];
    expect(queryOf({ status: "failed", from, to })).toEqual({
      status: "failed",
      createdAfter: from,
      createdBefore: to,
    });
  });
});
