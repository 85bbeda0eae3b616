import type { IncomingMessage } from "node:http";
import { ok } from "./api-response.ts";
import { withoutKnownBody } from "./conditional-requests.ts";

const requestOf = (ifNoneMatch: string, method = "GET") =>
  ({ method, headers: { "if-none-match": ifNoneMatch } }) as unknown as IncomingMessage;
const VERSION = ok({ id: 1 }, { etag: '"1"' });

test.each(['"1"', 'W/"1"', '"0", W/"a,b","1"', "*"])("%s is 304 without a body", (tags) => {
  for (const method of ["GET", "HEAD"]) {
    const response = withoutKnownBody(requestOf(tags, method), VERSION);
    expect(response).toEqual({ status: 304, headers: { etag: '"1"' }, bytes: Buffer.alloc(0) });
  }
});

test.each(['"2"', '"11", "", 1', 'W/1 "1'])("%s is another version", (tags) => {
  expect(withoutKnownBody(requestOf(tags), VERSION)).toBe(VERSION);
});

test("a change and a response without an ETag have their body", () => {
  expect(withoutKnownBody(requestOf("*", "POST"), VERSION)).toBe(VERSION);
  const response = ok([]);
  expect(withoutKnownBody(requestOf("*"), response)).toBe(response);
});
