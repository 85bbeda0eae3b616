import { newId } from "@tradepost/runtime";
import fc from "fast-check";
import { v4, validate, version } from "uuid";
import { deliveryIdOf } from "./ids.ts";

const occurredAt = new Date("2026-08-20T09:30:00.000Z");
const event = (id: string) => ({ id, occurredAt });

test("the same event and subscription have the same id, on every machine and in every release", () => {
  const subscription = "0198c5b0-3333-7c3d-8e4f-5a6b7c8d9e0f";
  const id = deliveryIdOf(event("0198c5b3-2f4a-7e90-a6f0-2b7d9e1f4a53"), subscription);
  expect(id).toBe("0198c5b3-2f4a-7e90-a6f0-2baf6ab747d9");
  expect(deliveryIdOf(event("0198C5B3-2F4A-7E90-A6F0-2B7D9E1F4A53"), subscription)).toBe(id);
  const withoutTime = event("9b2f7c1e-5d0a-4f6b-8c3d-1a2b3c4d5e6f");
  expect(deliveryIdOf(withoutTime, subscription)).toBe("01a01e81-85c0-7d90-8c23-e8219eb914a5");
});

test("ids of deliveries are UUIDs of version 7, in the order of their events", () => {
  const subscriptions = [newId(), newId()];
  const ids = Array.from({ length: 5_000 }, newId).map((id) => {
    const [first = "", second = ""] = subscriptions.map((subscription) =>
      deliveryIdOf(event(id), subscription),
    );
    return first < second ? [first, second] : [second, first];
  });
  expect(ids.flat().every((id) => validate(id) && version(id) === 7)).toBe(true);
  expect(ids.flat().toSorted()).toEqual(ids.flat());
});

test("the id of an event without a time begins with the time of the event", () => {
  fc.assert(
    fc.property(fc.integer({ min: -1e12, max: 8.64e15 }), fc.uuid({ version: 4 }), (time, subscription) => {
      const id = deliveryIdOf({ id: v4(), occurredAt: new Date(time) }, subscription);
      const at = Math.min(Math.max(0, time), 2 ** 48 - 1);
      return version(id) === 7 && Number.parseInt(id.replaceAll("-", "").slice(0, 12), 16) === at;
    }),
  );
});

test("no two pairs of 2,000 events and 50 subscriptions have the same id", () => {
  const subscriptions = Array.from({ length: 50 }, newId);
  const events = Array.from({ length: 2_000 }, (_, index) => (index % 2 === 0 ? newId() : v4()));
  const ids = events.flatMap((id) => subscriptions.map((one) => deliveryIdOf(event(id), one)));
  expect(new Set(ids).size).toBe(ids.length);
});
