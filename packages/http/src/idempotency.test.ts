import { createHash } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { canonicalJson, parseJson } from "@tradepost/json";
import { idempotencyKeyOf } from "./idempotency.ts";

test.each([
  "{}",
  '{"b":[{"d":1,"c":[2,3]},0.10000000000000000001],"a":[]}',
  `[${'"text",'.repeat(9_999)}null]`,
])("a fingerprint is the hash of path and canonical text, as it is stored: %#", async (text) => {
  const req = { url: "/v1/Orders?a=1", headers: { "idempotency-key": "k" } } as unknown as IncomingMessage;
  const expected = createHash("sha256").update(`/v1/orders\n${canonicalJson(parseJson(text))}`);
  const { fingerprint } = (await idempotencyKeyOf(req, "POST /v1/orders", parseJson(text))) ?? {};
  expect(fingerprint).toEqual(expected.digest());
});
