import { describe, expect, test } from "@jest/globals";
import type { Result } from "./exchange.ts";
import { mayResend } from "./send.ts";

const lost: Result = {
  outcome: "connection_reset",
  isAnswered: false,
  statusCode: null,
  responseBody: null,
  holdMs: null,
};

describe("a request is sent again", () => {
  test("if a connection that was used before was closed without a byte of a response", () => {
    expect(mayResend(lost, true)).toBe(true);
  });

  test.each<[string, Result, boolean]>([
    ["the connection was new", lost, false],
    ["a response had begun", { ...lost, isAnswered: true }, true],
    ["there was no response in time", { ...lost, outcome: "timeout" }, true],
    ["the response was not valid", { ...lost, outcome: "response_invalid" }, true],
    ["the receiver responded with a failure", { ...lost, outcome: "http_status", statusCode: 500 }, true],
  ])("but not if %s", (_, result, isReused) => {
    expect(mayResend(result, isReused)).toBe(false);
  });
});
