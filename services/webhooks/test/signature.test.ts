// Checks the signatures of a delivery against vectors from other implementations, Node's crypto, and receivers' libraries.
import { createHmac } from "node:crypto";
import fc from "fast-check";
import { Webhook } from "standardwebhooks";
import { signatureHeaders } from "../src/endpoint/signature.ts";

const SECRET = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";
const PREVIOUS_SECRET = "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=";
const DELIVERY_ID = "0198a000-0000-7000-8000-000000000001";
const AT = new Date("2026-01-01T00:00:00.999Z");
const BODY = Buffer.from('{"id":"d-1","note":"grüß ✓"}');

const secrets = fc
  .uint8Array({ minLength: 32, maxLength: 32 })
  .map((bytes) => `whsec_${Buffer.from(bytes).toString("base64")}`);

describe("the signatures of a delivery", () => {
  test("equal signatures made elsewhere, with both secrets during a rotation", () => {
    // openssl made the signatures of the previous secret.
    expect(signatureHeaders(SECRET, DELIVERY_ID, AT, BODY, PREVIOUS_SECRET)).toEqual({
      "X-service-Signature": "sha256=11a7aa60e909a7528314be016ce832709b7ced0279523f066867a84478dbba3b",
      "X-service-Signature-Previous":
        "sha256=acb100b4cc7cc011b3d287984a3e2a5b2ac24f4bbd8534e5d14b25978f5ae210",
      "webhook-id": DELIVERY_ID,
      "webhook-timestamp": "1767225600",
      "webhook-signature":
        "v1,YYd38YR6VGbimKVIqySsf86L++CkkpMGMshKpt6uano= v1,7lzAOAu0EiTySug9c6yQmHfd5CHzTglZVbTwMs3VIKU=",
    });
  });

  test("cover the raw bytes, one with the secret as the key, one with its decoded bytes", () => {
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
});

test("the library standardwebhooks accepts the signatures of any JSON, and refuses them with one more byte", () => {
  fc.assert(
    fc.property(secrets, fc.uuid(), fc.jsonValue(), (secret, id, value) => {
      const webhook = new Webhook(secret);
      const body = Buffer.from(JSON.stringify(value));
      const headers = signatureHeaders(secret, id, new Date(), body);
      expect(webhook.verify(body, headers)).toEqual(JSON.parse(body.toString()));
      expect(() => webhook.verify(`${body} `, headers)).toThrow("No matching signature found");
    }),
  );
});
