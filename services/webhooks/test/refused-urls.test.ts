// A URL that can never be allowed, whatever its name resolves to, is refused with 422, on creation and on every change.
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { startTestWebhooks, type TestTenant, type TestWebhooks } from "./support/webhooks.ts";

const NOT_PUBLIC = "must point to an address on the public internet";

const NO_HOST = "must have a host and a port that exist";

describe("a subscription's URL", () => {
  let webhooks: TestWebhooks;
  let tenant: TestTenant;
  let subscriptionId: string;

  beforeAll(async () => {
    webhooks = await startTestWebhooks({ WEBHOOKS_EGRESS_ALLOW: "" });
    tenant = webhooks.tenant();
    subscriptionId = (await tenant.subscribe("https://receiver.example/")).id;
  });

  afterAll(() => webhooks.stop());

  test.each([
    ["https://127.0.0.1/", NOT_PUBLIC],
    ["https://2130706433/", NOT_PUBLIC],
    ["https://0x7f000001/", NOT_PUBLIC],
    ["https://0177.0.0.1/", NOT_PUBLIC],
    ["https://127.1/", NOT_PUBLIC],
    ["https://127.0.0.1./", NOT_PUBLIC],
    ["https://%31%32%37.0.0.1/", NOT_PUBLIC],
    ["https://１２７.０.０.１/", NOT_PUBLIC],
    ["https://169.254.169.254/latest/meta-data/", NOT_PUBLIC],
    ["https://10.0.0.1:5432/", NOT_PUBLIC],
    ["https://[::1]:15672/", NOT_PUBLIC],
    ["https://[::ffff:10.0.0.1]/", NOT_PUBLIC],
    ["https://[64:ff9b::10.0.0.1]/", NOT_PUBLIC],
    ["https://localhost/", NOT_PUBLIC],
    ["https://LOCALHOST.:8443/", NOT_PUBLIC],
    ["https://foo.localhost/", NOT_PUBLIC],
    ["https://receiver.example\\@127.0.0.1/", "must be an https URL"],
    ["https://127.0.0.1\\@receiver.example/", "must be an https URL"],
    ["https://receiver.example@127.0.0.1/", "must not contain a user name or password"],
    ["https://user:password@receiver.example/", "must not contain a user name or password"],
    ["https://:password@receiver.example/", "must not contain a user name or password"],
    ["https://@receiver.example/", "must not contain a user name or password"],
    ["https://receiver.example:0/", NO_HOST],
    [`https://${"x".repeat(64)}.example/`, NO_HOST],
    ["https://localhost../", NO_HOST],
    ["https://receiver..example/", NO_HOST],
    ["https://xn--/", "must"],
    ["https://receiver.example/#part", "must not have a fragment"],
    ["https://receiver.example/#", "must not have a fragment"],
    ["http://receiver.example/", "must begin with https://"],
    ["http://127.0.0.1:15672/", "must begin with https://"],
    ["ftp://receiver.example/", "must begin with https://"],
    ["file:///etc/passwd", "must be an https URL"],
    ["https:receiver.example", "must be an https URL"],
    ["https:///receiver.example", "must be an https URL"],
    ["https://receiver.example:65536/", "must be an https URL"],
    ["https://256.0.0.1/", "must be an https URL"],
    ["https://[fe80::1%25eth0]/", "must be an https URL"],
    ["https://receiver.example/a\nb", "must be an https URL"],
    ["https://receiver.example/\u0001", "must be an https URL"],
    ["https://receiver.example/\u0000", "contains an invalid character"],
  ])("%j is refused: %s", async (url, message) => {
    const subscription = { name: "Test", url, events: ["redirect.added"] };
    for (const { status, body } of [
      await tenant.owner().post("/v1/webhooks/subscriptions", subscription),
      await tenant.owner().patch(`/v1/webhooks/subscriptions/${subscriptionId}`, { url }),
    ]) {
      expect(status).toBe(422);
      expect(JSON.stringify(body)).toContain(message);
    }
  });
});
