import { describe, expect, test } from "@jest/globals";
import type { Result } from "./exchange.ts";
import { mayResend } from "./send.ts";

const lost: Result = {
  outcome: "connection_reset",
  isAnswered: false,
  statusCode: null,
  responseBody: null,
  retryAfterMs: null,
};

describe("a request is sent again", () => {
  test("if a connection that had been idle was closed without a byte of a response", () => {
    expect(mayResend(lost, 1_000)).toBe(true);
  });

  test.each<[string, Result, number | null]>([
    ["the connection was new", lost, null],
    ["the connection had just been used", lost, 999],
    ["a response had begun", { ...lost, isAnswered: true }, 60_000],
    ["there was no response in time", { ...lost, outcome: "timeout" }, 60_000],
    ["the response was not valid", { ...lost, outcome: "response_invalid" }, 60_000],
    ["the receiver responded with a failure", { ...lost, outcome: "http_status", statusCode: 500 }, 60_000],
  ])("but not if %s", (_, result, idleMs) => {
    expect(mayResend(result, idleMs)).toBe(false);
  });
});
