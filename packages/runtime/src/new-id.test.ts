import { validate, version } from "uuid";
import { newId, pooledRandomBytes } from "./new-id.ts";

test("ids are unique UUIDs of version 7 in ascending order", () => {
  const ids = Array.from({ length: 50_000 }, newId);
  expect(ids.every((id) => validate(id) && version(id) === 7)).toBe(true);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.toSorted()).toEqual(ids);
});

test("an id contains the time of its creation", () => {
  const before = Date.now();
  const at = Number.parseInt(newId().replaceAll("-", "").slice(0, 12), 16);
  // A busy process may run one millisecond ahead when the sequence of a millisecond is used up.
  expect(at).toBeGreaterThanOrEqual(before);
  expect(at).toBeLessThanOrEqual(Date.now() + 1);
});

test("random bytes are never returned twice, and do not change when the pool is filled again", () => {
  const first = pooledRandomBytes(16);
  const before = first.toString("hex");
  const all = Array.from({ length: 2_000 }, () => pooledRandomBytes(16).toString("hex"));
  expect(new Set([before, ...all]).size).toBe(2_001);
  expect(first.toString("hex")).toBe(before);
});
