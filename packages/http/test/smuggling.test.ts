// Request smuggling: a request that two parsers may read differently is refused with the error envelope, and the connection is
// closed. A request without Host or with too large headers is refused in the same way.
import { STATUS_CODES } from "node:http";
import { bodyOf, head, NOTE_ID, sendBytes, useNotesService } from "./support/notes-service.ts";

const NEXT = `GET /v1/notes/${NOTE_ID} HTTP/1.1\r\nHost: x\r\nX-Caller: {}\r\n\r\n`;

const service = await useNotesService();

/** Sends a request with these header lines and this body. Resolves with everything received until the server closes. */
const send = (lines: string[], body = "", requestLine = "POST /v1/notes HTTP/1.1") => {
  const usual = [requestLine, "Host: x", "X-Caller: {}", "Content-Type: application/json"];
  return sendBytes(service, `${[...usual, ...lines].join("\r\n")}\r\n\r\n${body}`);
};
const expectJsonHeaders = (received: string) => {
  for (const header of ["x-content-type-options: nosniff", "cache-control: no-store"])
    expect(received).toContain(`\r\n${header}\r\n`);
};
const refusal = (message: unknown = expect.any(String), requestId: unknown = expect.any(String)) => ({
  success: false,
  error: { code: "bad_request", message, requestId },
});

const CHUNKED = "Transfer-Encoding: chunked";
const END = `0\r\n\r\n${NEXT}`;

test.each<[string, string[], string, number?, string?]>([
  ["both lengths", ["Content-Length: 4", CHUNKED], END],
  ["two lengths", ["Content-Length: 4", "Content-Length: 40"], `{}  ${NEXT}`],
  ["a length that is not a number", ["Content-Length: +4"], `{}  ${NEXT}`],
  ["an unknown transfer coding after chunked", ["Transfer-Encoding: chunked, identity"], END],
  ["chunks twice", ["Transfer-Encoding: chunked, chunked"], END],
  ["a bad chunk size", [CHUNKED], `zz\r\n{}\r\n0\r\n\r\n${NEXT}`],
  ["a folded header", ["X-A: 1", " Transfer-Encoding: chunked"], ""],
  ["a blank before the colon", ["Content-Length : 4"], `{}  ${NEXT}`],
  ["a second Host", ["Host: y", "Content-Length: 0"], NEXT],
  ["a second Content-Type", ["Content-Type: text/plain", "Content-Length: 0"], NEXT],
  ["a compressed body", ["Transfer-Encoding: gzip, chunked"], END, 501],
  ["chunks in HTTP/1.0", [CHUNKED], END, 400, "POST /v1/notes HTTP/1.0"],
  ["HTTP/2.0", ["Accept: */*"], END, 505, "GET /v1/notes HTTP/2.0"],
  ["an unknown expectation", ["Expect: more"], END, 417, "GET /v1/notes HTTP/1.1"],
])("%s is refused and reaches no handler", async (_what, lines, body, status = 400, requestLine) => {
  const received = await send(lines, body, requestLine);
  expect(received.split("\r\n", 1)).toEqual([`HTTP/1.1 ${status} ${STATUS_CODES[status]}`]);
  expectJsonHeaders(received);
  expect(bodyOf(received)).toEqual(refusal());
  expect(service.handled).toHaveLength(0);
});

test.each([
  ["the caller's request id", "X-Request-Id: mine-1\r\n", /^mine-1$/],
  ["a new request id", "", /^[A-Za-z0-9._-]{1,128}$/],
])("a missing Host is refused with %s, and so is what follows it", async (_which, header, requestId) => {
  const received = await sendBytes(
    service,
    `GET /v1/notes/${NOTE_ID} HTTP/1.1\r\nX-Caller: {}\r\n${header}\r\n${NEXT}`,
  );
  const [, id] = /^HTTP\/1\.1 400 Bad Request\r\nx-request-id: (\S+)\r\n/.exec(received) ?? [];
  expect(id).toMatch(requestId);
  expectJsonHeaders(received);
  expect(bodyOf(received)).toEqual(refusal("The header Host is missing.", id));
  expect(service.handled).toHaveLength(0);
});

test.each(["http://x", "HTTPS://other.example:8443"])(
  "a target with the origin %s is the same request",
  async (origin) => {
    const received = await sendBytes(service, head(`GET ${origin}/v1/notes/${NOTE_ID}`, "Connection: close"));
    expect(received).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(service.handled.map(({ raw }) => [raw.url, raw.headers.host])).toEqual([
      [`/v1/notes/${NOTE_ID}`, origin.replace(/^.*\/\//, "")],
    ]);
  },
);

test("endless headers give 431", async () => {
  const received = await send([`X-Long: ${"a".repeat(64 * 1024)}`]);
  expect(received).toMatch(/^HTTP\/1\.1 431 /);
  expect(bodyOf(received)).toEqual(refusal("The headers are too large."));
  expect(service.handled).toHaveLength(0);
});
