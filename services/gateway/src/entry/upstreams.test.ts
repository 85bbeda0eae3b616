import { routesOfResponses } from "./upstreams.ts";

test("patterns of routes are labels; other values and too many are not", () => {
  const routeOf = routesOfResponses();
  expect(routeOf("/v1/orders/:id/payments")).toBe("/v1/orders/:id/payments");
  for (const other of [
    undefined,
    "",
    "/v1",
    "/v2/orders",
    "/v1/a b",
    `/v1/${"a".repeat(65)}`,
    ["/v1/a", "/v1/b"],
  ])
    expect(routeOf(other)).toBe("forwarded");
  const labels = Array.from({ length: 10_000 }, (_, index) => routeOf(`/v1/orders/${index}`));
  expect(new Set(labels).size).toBe(500);
  expect(routeOf("/v1/orders/:id/payments")).toBe("/v1/orders/:id/payments");
});
