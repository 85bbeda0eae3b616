import { PassThrough } from "node:stream";
import { costOf, countObjectsIn } from "./order-lines.ts";

const lines = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ sku: `A-${index}`, name: 'A "{[{" \\', unitPrice: 1.5 }));
const order = (count: number) => ({
  customerId: "c",
  metadata: { notes: [{ a: [{ b: {} }] }, {}], items: [{}, {}] },
  items: lines(count),
  shippingAddress: { line1: "{", city: "[", extra: [{}] },
});
const whole = (text: string) => ({ kind: "whole", bytes: Buffer.from(text) }) as const;
const bodyOf = (json: unknown) => whole(JSON.stringify(json));

describe("the cost of a body", () => {
  test.each([
    [1, 1],
    [99, 1],
    [100, 2],
    [199, 2],
    [500, 6],
  ])("of an order of %i lines is %i", (count, cost) => {
    expect(costOf("POST", "/v1/orders", bodyOf(order(count)))).toBe(cost);
    expect(costOf("POST", "/v1/orders/?x=1", bodyOf(order(count)))).toBe(cost);
  });

  test("of a bulk request counts the lines of all its orders", () => {
    const bulk = { orders: [order(60), order(0), order(140), order(500)] };
    expect(costOf("POST", "/v1/orders/bulk", bodyOf(bulk))).toBe(8);
  });

  test("does not depend on spaces, but on every full 64 KiB", () => {
    const text = JSON.stringify(order(100));
    const spaces = (bytes: number) => whole(text + " ".repeat(bytes - text.length));
    expect(costOf("POST", "/v1/orders", spaces(64 * 1024 - 1))).toBe(2);
    expect(costOf("POST", "/v1/orders", spaces(64 * 1024))).toBe(3);
    expect(costOf("PATCH", "/v1/entries/1", spaces(2 * 1024 * 1024))).toBe(33);
    const upload = {
      kind: "upload",
      length: String(25 * 1024 * 1024),
      stream: () => new PassThrough(),
    } as const;
    expect(costOf("POST", "/v1/media", upload)).toBe(401);
  });

  test("does not depend on how the field names are escaped", () => {
    const escaped = JSON.stringify(order(300))
      .replaceAll("items", "\\u0069tems")
      .replaceAll("sku", "\\u0073ku");
    expect(costOf("POST", "/v1/orders", whole(escaped))).toBe(4);
  });

  test.each([
    ["GET", "/v1/orders"],
    ["POST", "/v1/orders/1/refund"],
    ["POST", "/v1/customers"],
  ])("of %s %s is 1", (method, path) => {
    expect(costOf(method, path, bodyOf(order(500)))).toBe(1);
  });

  test("is defined for text that is not JSON", () => {
    for (const text of ["", '"', '"\\', "]]]]{[{", "{[{".repeat(2_000), '{"'.repeat(2_000)]) {
      expect(countObjectsIn(Buffer.from(text), "{[")).toBeGreaterThanOrEqual(0);
    }
    expect(costOf("POST", "/v1/orders", { kind: "none" })).toBe(1);
  });
});
