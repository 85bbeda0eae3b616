// Errors as Node and undici throw them. The errors that real receivers cause are tested in `test/outcomes.test.ts`.
import type { Result } from "./exchange.ts";
import { mayResend, outcomeOf } from "./send.ts";

const coded = (code: string) => Object.assign(new Error("internal detail"), { code });
const lost: Result = {
  error: coded("ECONNRESET"),
  firstByteMs: null,
  statusCode: null,
  responseBody: null,
  holdMs: null,
};

describe("a request is sent again", () => {
  test("if a connection that was used before was closed without a byte of a response", () => {
    expect(mayResend(lost, { isReused: true, leftMs: 1 })).toBe(true);
  });

  test.each<[string, Result, boolean]>([
    ["the connection was new", lost, false],
    ["a response had begun", { ...lost, firstByteMs: 3 }, true],
    ["there was no response in time", { ...lost, error: coded("ETIMEDOUT") }, true],
    ["the response was not valid", { ...lost, error: coded("UND_ERR_HEADERS_OVERFLOW") }, true],
    ["the receiver responded with a failure", { ...lost, error: null, statusCode: 500 }, true],
  ])("but not if %s", (_, result, isReused) => {
    expect(mayResend(result, { isReused, leftMs: 1 })).toBe(false);
  });

  test("but not if the attempt's time is over", () => {
    expect(mayResend(lost, { isReused: true, leftMs: 0 })).toBe(false);
  });
});

describe("the outcome of an error", () => {
  const outcomeOfError = (error: Error) => outcomeOf({ error, statusCode: null });

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
