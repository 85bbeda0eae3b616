import { expect, test } from "@jest/globals";
import { curlOfRequest, headerLines, isTest, prettyBody, type SentRequest } from "./sent-request.ts";

const request: SentRequest = {
  url: "https://shop.example/hooks?a='b'",
  headers: { host: "shop.example", "content-type": "application/json", authorization: "•••" },
  body: `{"id":"d","data":{"text":"it's <b>"}}`,
};

test("the headers, one a line", () => {
  expect(headerLines(request)).toBe("host: shop.example\ncontent-type: application/json\nauthorization: •••");
});

test("as curl, whatever it contains", () => {
  expect(curlOfRequest(request)).toBe(
    [
      `curl -sS -X POST 'https://shop.example/hooks?a='\\''b'\\'''`,
      "-H 'content-type: application/json'",
      "-H 'authorization: •••'",
      `--data-binary '{"id":"d","data":{"text":"it'\\''s <b>"}}'`,
    ].join(" \\\n  "),
  );
  expect(curlOfRequest({ headers: {}, body: "" })).toBeUndefined();
});

test("the body with indentation, and as it is if it is not JSON", () => {
  expect(prettyBody({ ...request, body: '{"a":[1]}' })).toBe('{\n  "a": [\n    1\n  ]\n}');
  expect(prettyBody({ ...request, body: "{" })).toBe("{");
});

test.each([
  ['{"data":{"test":true}}', true],
  ['{"data":{"test":"true"}}', false],
  ["null", false],
  ["", false],
])("%s is a test: %s", (body, result) => expect(isTest({ ...request, body })).toBe(result));
