// The signatures of a delivery against vectors made elsewhere, node's own crypto, and a library that receivers use.
import { createHmac, randomBytes } from "node:crypto";
import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { Webhook } from "standardwebhooks";
import { signatureHeaders } from "../src/delivery/signature.ts";

const SECRET = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";
const DELIVERY_ID = "0198a000-0000-7000-8000-000000000001";

describe("the signatures of a delivery", () => {
  test("are those that another implementation makes of the same bytes", () => {
    const body = Buffer.from('{"id":"d-1","note":"grüß ✓"}');
    expect(signatureHeaders(SECRET, DELIVERY_ID, new Date("2026-01-01T00:00:00.999Z"), body)).toEqual({
      "X-service-Signature": "sha256=11a7aa60e909a7528314be016ce832709b7ced0279523f066867a84478dbba3b",
      "webhook-id": DELIVERY_ID,
      "webhook-timestamp": "1767225600",
      "webhook-signature": "v1,YYd38YR6VGbimKVIqySsf86L++CkkpMGMshKpt6uano=",
    });
  });

  const secrets = fc
    .uint8Array({ minLength: 32, maxLength: 32 })
    .map((bytes) => `whsec_${Buffer.from(bytes).toString("base64")}`);

  test("are over the raw bytes, whatever they are: one keyed with the secret as written, one with its bytes", () => {
    fc.assert(
      fc.property(secrets, fc.uuid(), fc.uint8Array({ maxLength: 2_000 }), (secret, id, bytes) => {
        const body = Buffer.from(bytes);
        const at = new Date();
        const timestamp = String(Math.floor(at.getTime() / 1000));
        const key = Buffer.from(secret.slice("whsec_".length), "base64");
        const signed = Buffer.concat([Buffer.from(`${id}.${timestamp}.`), body]);
        expect(signatureHeaders(secret, id, at, body)).toEqual({
          "X-service-Signature": `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`,
          "webhook-id": id,
          "webhook-timestamp": timestamp,
          "webhook-signature": `v1,${createHmac("sha256", key).update(signed).digest("base64")}`,
        });
      }),
    );
  });

  test("are accepted by a Standard Webhooks library, for any JSON", () => {
    fc.assert(
      fc.property(secrets, fc.uuid(), fc.jsonValue(), (secret, id, value) => {
        const body = Buffer.from(JSON.stringify(value));
        const headers = signatureHeaders(secret, id, new Date(), body);
        expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body.toString()));
      }),
    );
  });

  interface Change {
    body?: string;
    id?: string;
    seconds?: number;
    secret?: string;
  }

  test.each<[string, Change]>([
    ["another byte in the body", { body: '{"total":2}' }],
    ["another delivery id", { id: "0198a000-0000-7000-8000-000000000002" }],
    ["another time", { seconds: 1 }],
    ["another secret", { secret: `whsec_${randomBytes(32).toString("base64")}` }],
  ])(
    "are refused by it with %s",
    (_, { body = '{"total":1}', id = DELIVERY_ID, seconds = 0, secret = SECRET }) => {
      const at = new Date();
      const headers = signatureHeaders(SECRET, DELIVERY_ID, at, Buffer.from('{"total":1}'));
      const received = {
        ...headers,
        "webhook-id": id,
        "webhook-timestamp": String(Math.floor(at.getTime() / 1000) + seconds),
      };
      expect(() => new Webhook(secret).verify(body, received)).toThrow("No matching signature found");
    },
  );
});
