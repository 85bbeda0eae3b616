import { describe, expect, test } from "@jest/globals";
import { queryOf, requestsSearch } from "./search.ts";

const ID = "0199a1b2-0000-7000-8000-00000000abcd";

describe("the filters in the address", () => {
  test.each([
    [{}, {}],
    [{ keyId: ID, userId: ID }, { keyId: ID }],
    [{ userId: ID }, { userId: ID }],
    [{ keyId: "me", userId: "x" }, {}],
    [{ people: true }, { people: true }],
    [{ people: "yes" }, {}],
    [{ people: true, userId: ID }, { userId: ID }],
    [{ status: 422 }, { status: 422 }],
    [{ status: "404" }, { status: 404 }],
    [{ status: "4xx" }, {}],
    [{ status: 600 }, {}],
    [{ route: " /v1/orders/:id " }, { route: "/v1/orders/:id" }],
    [{ from: "soon", to: "2026-11-23T05:00Z" }, { to: "2026-11-23T05:00:00.000Z" }],
    [{ page: 3 }, {}],
  ])("%j becomes %j", (typed, search) => expect(requestsSearch(typed)).toEqual(search));

  test("the times have the names of the API", () => {
    const [from, to] = ["2026-11-23T05:00:00.000Z", "2026-11-24T05:00:00.000Z"];
    const times = { after: from, before: to };
    expect(queryOf({ status: 500, people: true, from, to })).toEqual({ status: 500, ...times });
  });

  test("without a person or a key, programs are meant", () => {
    expect(queryOf({})).toEqual({ actorType: "api_key" });
    expect(queryOf({ keyId: ID })).toEqual({ keyId: ID });
  });
});
