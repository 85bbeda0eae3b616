// Errors as Node and undici throw them. The errors that real receivers cause are tested in `test/outcomes.test.ts`.
import { describe, expect, test } from "@jest/globals";
import { outcomeOfError } from "./outcome-of-error.ts";

const coded = (code: string) => Object.assign(new Error("internal detail"), { code });

describe("the outcome of an error", () => {
  test.each([
    ["tls_failed", "EPROTO"],
    ["tls_failed", "INVALID_PURPOSE"],
    ["tls_failed", "PATH_LENGTH_EXCEEDED"],
    ["tls_failed", "UNSPECIFIED"],
    ["network_error", "EHOSTUNREACH"],
    ["network_error", "EMFILE"],
  ])("is %s for %s", (outcome, code) => {
    expect(outcomeOfError(coded(code))).toBe(outcome);
  });

  test("of a name with several addresses is the first specific one", () => {
    const tried = (...codes: string[]) =>
      Object.assign(new AggregateError(codes.map(coded)), { code: codes[0] });
    expect(outcomeOfError(tried("ENETUNREACH", "ECONNREFUSED"))).toBe("connection_refused");
    expect(outcomeOfError(tried("ECONNREFUSED", "ENETUNREACH"))).toBe("connection_refused");
    expect(outcomeOfError(tried("ENETUNREACH", "EHOSTUNREACH"))).toBe("network_error");
  });
});
