import { firstSteps } from "./first-steps.ts";

const NOTHING = { keys: [], orders: [], subscriptions: [], deliveries: [] };
const ALL = { keys: [1], orders: [1], subscriptions: [1], deliveries: [1] };

const holder = (role: "viewer" | "editor" | "admin" | "owner", modules = ["crm", "content"]) => ({
  role,
  modules,
});
const names = (...of: Parameters<typeof firstSteps>) => firstSteps(...of).map(({ name }) => name);

test("an empty shop has all of them, as far as role and modules allow", () => {
  expect(names(NOTHING, holder("owner"))).toEqual(["deliveries", "keys", "orders", "subscriptions"]);
  expect(names(NOTHING, holder("admin", ["content"]))).toEqual(["deliveries", "keys", "subscriptions"]);
  expect(names(NOTHING, holder("admin", ["crm"]))).toEqual(["keys", "orders"]);
  expect(names(NOTHING, holder("editor"))).toEqual(["deliveries", "orders"]);
  expect(names(NOTHING, holder("viewer"))).toEqual([]);
});

test("they go once all of them are done, and do not flash while that is not known", () => {
  expect(firstSteps({ ...NOTHING, keys: [1] }, holder("owner")).map(({ isDone }) => isDone)).toEqual([
    false,
    true,
    false,
    false,
  ]);
  expect(names(ALL, holder("owner"))).toEqual([]);
  expect(names({ ...NOTHING, deliveries: undefined }, holder("owner"))).toEqual([]);
  expect(names({ ...ALL, orders: [] }, holder("owner", []))).toEqual([]);
});
