// How each service responds through the gateway to bodies that it refuses: too large, of another type, not JSON, not
// valid (interface §1).
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { rawRequest } from "@tradepost/testing";
import { expectFailure } from "./support/expect-failure.ts";
import { startTestPlatform, type TestPlatform, type TestTenant } from "./support/test-platform.ts";

const JSON_BODY = { "content-type": "application/json" };
const TOO_LARGE = JSON.stringify({ name: "x".repeat(3 * 1024 * 1024) });

describe("a bad body", () => {
  let platform: TestPlatform;
  let tenant: TestTenant;
  beforeAll(async () => {
    platform = await startTestPlatform();
    tenant = await platform.createTenant();
  });
  afterAll(() => platform.stop());

  describe.each([
    ["the gateway", "/v1/api-keys"],
    ["the orders service", "/v1/customers"],
    ["the content service", "/v1/redirects"],
    ["the webhooks service", "/v1/webhooks/subscriptions"],
  ])("of %s", (_whose, path) => {
    const send = (body: string | Buffer, headers: Record<string, string> = JSON_BODY) =>
      tenant.owner.send("POST", path, { headers, body });

    test.each(["", "{", '{"name":"a",}', "undefined", '{"a":1}{"b":2}', "{'name':1}"])(
      "400 invalid_json for %j",
      async (body) => expectFailure(await send(body), 400, "invalid_json"),
    );

    test("400 invalid_json for bytes that are not UTF-8", async () => {
      expectFailure(await send(Buffer.from('{"name":"\xff"}', "latin1")), 400, "invalid_json");
    });

    test.each([
      ["text", { "content-type": "text/plain" }],
      ["a form", { "content-type": "application/x-www-form-urlencoded" }],
      ["other JSON", { "content-type": "application/json-patch+json" }],
      ["JSON in another character set", { "content-type": "application/json; charset=utf-16" }],
      ["compressed JSON", { ...JSON_BODY, "content-encoding": "gzip" }],
    ])("415 unsupported_media_type for %s", async (_what, headers) => {
      expectFailure(await send("{}", headers), 415, "unsupported_media_type");
    });

    test("422 validation_error for a body that is not an object, and for an unknown field", async () => {
      for (const body of ["[]", "null", '"text"', "7"])
        expectFailure(await send(body), 422, "validation_error", ["body"]);
      const response = await send('{"tenantId":"x","__proto__":{"role":"owner"}}');
      expectFailure(response, 422, "validation_error");
      const paths = response.body.error.details.map((detail: { path: string }) => detail.path);
      expect(paths).toEqual(expect.arrayContaining(["tenantId", "__proto__"]));
    });

    test("413 payload_too_large above 2 MiB, but not at 2 MiB", async () => {
      expectFailure(await send(TOO_LARGE), 413, "payload_too_large");
      const largest = `{"name":"${"x".repeat(2 * 1024 * 1024 - 11)}"}`;
      expectFailure(await send(largest), 422, "validation_error");
      expectFailure(await send(`${largest} `), 413, "payload_too_large");
    });

    test("413 payload_too_large for a chunked body without a length", async () => {
      const head = ["Transfer-Encoding: chunked", "Content-Type: application/json"];
      const chunk = `10000\r\n${"x".repeat(0x10000)}\r\n`;
      const chunks = `${chunk.repeat(48)}0\r\n\r\n`;
      const headers = [...head, `Authorization: Bearer ${tenant.ownerToken}`];
      const response = await rawRequest(platform.url, `POST ${path}`, headers, chunks);
      expectFailure(response, 413, "payload_too_large");
    });
  });
});
