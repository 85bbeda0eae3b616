import { expect, test } from "@jest/globals";
import { perUnit } from "../src/processor-time.ts";

test("computes the processor time per unit, also for a program that started during the run", () => {
  expect(perUnit({ orders: 100 }, { orders: 350, gateway: 50 }, 1_000)).toEqual({
    orders: 0.25,
    gateway: 0.05,
  });
});
