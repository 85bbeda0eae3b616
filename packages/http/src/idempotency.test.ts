// Hashing the parts gives the hash of the whole text. So stored fingerprints stay valid however the text is split.
import { createHash } from "node:crypto";
import { describe, expect, test } from "@jest/globals";
import { canonicalJson, parseJson } from "@tradepost/json";
import { fingerprintOf } from "./idempotency.ts";

describe("a fingerprint", () => {
  test.each([
    "{}",
    "[]",
    "null",
    "0.10000000000000000001",
    '"text"',
    '{"orders":[]}',
    '{"b":[{"d":1,"c":[2,3]},[],null,0.10000000000000000001],"a":{"z":1,"y":[1]},"__proto__":[1]}',
    '[{"b":1,"a":2}]',
  ])("of %s is the hash of its canonical text", async (text) => {
    const json = parseJson(text);
    const expected = createHash("sha256")
      .update(`/v1/orders\n${canonicalJson(json)}`)
      .digest("hex");
    expect((await fingerprintOf("/v1/orders", json)).toString("hex")).toBe(expected);
  });
});
