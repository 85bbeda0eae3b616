// Only failures in which nothing was sent to the service mean "try again".
import { request } from "undici";
import { upstreamFailure } from "./upstream-failure.ts";

const failed = (code: string, syscall?: string) => Object.assign(new Error(code), { code, syscall });

describe("a service that cannot be reached", () => {
  test.each([
    ["ECONNREFUSED", "connect"],
    ["ENETUNREACH", "connect"],
    ["EHOSTUNREACH", "connect"],
    ["EHOSTDOWN", "connect"],
    ["ENETDOWN", "connect"],
    ["ETIMEDOUT", "connect"],
    ["EADDRNOTAVAIL", "connect"],
    ["EMFILE", "connect"],
    ["EAI_AGAIN", "getaddrinfo"],
    ["ENOTFOUND", "getaddrinfo"],
    ["UND_ERR_CONNECT_TIMEOUT", undefined],
  ])("because of %s at %s gives 503 with Retry-After", (code, syscall) => {
    const cause = failed(code, syscall);
    for (const each of [cause, Object.assign(new AggregateError([cause, cause]), { code })]) {
      const { status, headers } = upstreamFailure(each);
      expect([status, headers["retry-after"]]).toEqual([503, "2"]);
    }
  });

  const nowhere = ["http://localhost:9", "http://service.invalid", "http://[100::1]:9"];
  test.each(nowhere)("at %s gives 503 with Retry-After", async (url) => {
    const requesting = request(url, { signal: AbortSignal.timeout(20_000) });
    const { status, headers } = upstreamFailure(await requesting.catch((error: unknown) => error));
    expect([status, headers["retry-after"]]).toEqual([503, "2"]);
  });
});

test.each([
  ["ECONNRESET", "read", 502],
  ["EPIPE", "write", 502],
  ["ETIMEDOUT", "read", 502],
  ["UND_ERR_SOCKET", undefined, 502],
  ["UND_ERR_HEADERS_TIMEOUT", undefined, 504],
  ["UND_ERR_BODY_TIMEOUT", undefined, 504],
])("after %s at %s, when the service may have received the request, is %i", (code, syscall, status) => {
  expect(upstreamFailure(failed(code, syscall)).status).toBe(status);
});

test("a rejection without an Error is 502", () => {
  expect(upstreamFailure(null).status).toBe(502);
});
