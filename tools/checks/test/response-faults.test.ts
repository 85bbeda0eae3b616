// Responses of a test run that differ from the API description are reported.
import { describe, expect, test } from "@jest/globals";
import { responseFaults } from "../src/response-faults.ts";

const DESCRIPTION = {
  paths: {
    "/v1/things": {
      get: { operationId: "listThings", responses: { 200: {}, 401: {} } },
      put: { operationId: "putThing", responses: { 200: {}, 201: {}, 422: {} } },
    },
  },
};

const recorded = (...entries: object[]) => entries.map((entry) => `${JSON.stringify(entry)}\n`).join("");
const ALL = [
  { operation: "listThings", status: 200 },
  { operation: "putThing", status: 200 },
  { operation: "putThing", status: 201 },
];

describe("the responses of a test run", () => {
  test("are without fault if every operation had each of its successful statuses", () => {
    expect(responseFaults(recorded(...ALL), DESCRIPTION)).toEqual([]);
  });

  test("have the faults that the services recorded, each once", () => {
    const fault = "GET /v1/things, 200: /data must be array";
    expect(responseFaults(recorded(...ALL, { fault }, { fault }), DESCRIPTION)).toEqual([fault]);
  });

  test("lack an operation that no test requests", () => {
    expect(responseFaults(recorded(...ALL.slice(1)), DESCRIPTION)).toEqual([
      "listThings: no test requests it",
    ]);
    expect(responseFaults("", DESCRIPTION)).toEqual([
      "listThings: no test requests it",
      "putThing: no test requests it",
    ]);
  });

  test("lack a successful status that no test receives", () => {
    const refused = [{ operation: "listThings", status: 401 }, ...ALL.slice(1, 2)];
    expect(responseFaults(recorded(...refused), DESCRIPTION)).toEqual([
      "listThings: no test receives a 200",
      "putThing: no test receives a 201",
    ]);
  });
});
