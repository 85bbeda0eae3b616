import { expect, test } from "@jest/globals";
import { validate, version } from "uuid";
import { newId } from "./id.ts";
import { takeRandomBytes } from "./random.ts";

test("ids are UUIDs of version 7, unique, and in the order in which they were made", () => {
  const ids = Array.from({ length: 50_000 }, newId);
  expect(ids.every((id) => validate(id) && version(id) === 7)).toBe(true);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.toSorted()).toEqual(ids);
});

test("an id tells when it was made", () => {
  const before = Date.now();
  const at = Number.parseInt(newId().replaceAll("-", "").slice(0, 12), 16);
  // Ahead only by what a busy process counts on within one millisecond.
  expect(at).toBeGreaterThanOrEqual(before);
  expect(at).toBeLessThanOrEqual(Date.now() + 1);
});

test("random bytes are given to nobody twice, and stay what they are when the store is filled again", () => {
  const first = takeRandomBytes(16);
  const before = first.toString("hex");
  const all = Array.from({ length: 2_000 }, () => takeRandomBytes(16).toString("hex"));
  expect(new Set([before, ...all]).size).toBe(2_001);
  expect(first.toString("hex")).toBe(before);
});
