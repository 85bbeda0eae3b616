import type { IncomingMessage } from "node:http";
import { applyGzip } from "./gzip.ts";

const LARGE = 5_000;

/** Returns the headers of a response with a body of this size, and whether it is compressed. */
function responseTo(
  acceptEncoding: string | undefined,
  { bytes = LARGE as number | undefined, status = 200, own = {}, isCompressed = false } = {},
) {
  const headers: Record<string, unknown> = {
    "content-type": "application/json",
    "content-length": 1,
    ...own,
  };
  const req = { headers: { "accept-encoding": acceptEncoding } } as unknown as IncomingMessage;
  return { isApplied: applyGzip(req, headers, status, bytes, isCompressed), headers };
}

test.each(["gzip", "br, gzip;q=0.5", "*", "GZIP ; Q=1", "identity;q=0.5, *;q=0.8", "deflate, gzip, br"])(
  "a response is compressed for %s, and has no length yet",
  (accepted) => {
    const { isApplied, headers } = responseTo(accepted);
    expect([isApplied, headers["content-length"]]).toEqual([true, undefined]);
    expect(headers).toMatchObject({ "content-encoding": "gzip", vary: "Accept-Encoding" });
  },
);

test.each([
  ...[undefined, "", "identity", "br", "gzip;q=0", "gzip;q=0, *", "*;q=0", "gzip;q=0.1, identity"],
  ...["gzipped", "gzip;q=x"],
])("a response is not compressed for %j, and says that it might be", (accepted) => {
  const { isApplied, headers } = responseTo(accepted);
  expect([isApplied, headers["content-encoding"]]).toEqual([false, undefined]);
  expect(headers.vary).toBe("Accept-Encoding");
});

test.each([
  ["of unknown length", { bytes: undefined }, true],
  ["of 4 KiB", { bytes: 4_096 }, false],
  ["that is an export", { own: { "content-type": "text/csv; charset=utf-8" } }, true],
  ["that is a media file", { own: { "content-type": "application/pdf" } }, false],
  ["that has ranges", { own: { "accept-ranges": "bytes" } }, false],
  ["without a body", { status: 304 }, false],
])("a response %s is compressed or not", (_what, response, expected) => {
  expect(responseTo("gzip", response).isApplied).toBe(expected);
});
