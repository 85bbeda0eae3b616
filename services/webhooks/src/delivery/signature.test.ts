// The signatures against a known vector, and against the library that receivers use.
import { createHmac } from "node:crypto";
import { describe, expect, test } from "@jest/globals";
import { Webhook } from "standardwebhooks";
import { signatureHeaders } from "./signature.ts";

const SECRET = `whsec_${Buffer.from("0123456789abcdef0123456789abcdef").toString("base64")}`;
const ID = "01a1fcd3-89ae-775b-9e26-0e624d400372";

describe("signature", () => {
  test("X-service-Signature is keyed with the whole secret as it is written", () => {
    const headers = signatureHeaders(SECRET, ID, new Date(0), Buffer.from("hello"));
    // printf hello | openssl dgst -sha256 -hmac "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY="
    const expected = createHmac("sha256", "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=").update(
      "hello",
    );
    expect(headers["X-service-Signature"]).toBe(`sha256=${expected.digest("hex")}`);
  });

  test.each(["{}", '{"name":"Käse ✓"}', ""])(
    "webhook-signature verifies with standardwebhooks over %j",
    (text) => {
      const at = new Date();
      const headers = signatureHeaders(SECRET, ID, at, Buffer.from(text));
      expect(headers["webhook-id"]).toBe(ID);
      expect(headers["webhook-timestamp"]).toBe(String(Math.floor(at.getTime() / 1000)));
      const verify = (body: string) => new Webhook(SECRET).verify(body, headers);
      if (text !== "") expect(verify(text)).toEqual(JSON.parse(text));
      expect(() => verify(`${text} `)).toThrow();
    },
  );
});
