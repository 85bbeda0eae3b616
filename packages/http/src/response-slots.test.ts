import { Socket } from "node:net";
import { responseSlots, sharedClock } from "./response-slots.ts";

test("a tenant has two heavy responses in progress, and another tenant's go first", async () => {
  const { heavy } = responseSlots();
  const started: string[] = [];
  const take = async (tenantId: string, name: string) => {
    const release = await heavy(tenantId, new Socket());
    started.push(name);
    return release;
  };
  const [first, second, third] = [1, 2, 3].map((count) => take("greedy", `greedy ${count}`));
  const releaseFirst = await first;
  await take("other", "other 1");
  expect(started).toEqual(["greedy 1", "greedy 2", "other 1"]);
  releaseFirst?.();
  await Promise.all([second, third]);
  expect(started.at(-1)).toBe("greedy 3");
});

test("a tenant works on one heavy response at a time, which delays no other tenant", async () => {
  const { takeTurn } = responseSlots();
  const began: string[] = [];
  const take = async (tenantId: string, name: string) => {
    const end = await takeTurn(tenantId, new Socket());
    began.push(name);
    return end;
  };
  const endFirst = await take("greedy", "greedy 1");
  const second = take("greedy", "greedy 2");
  await take("other", "other 1");
  endFirst();
  // Other requests that are ready go on before the tenant's next turn.
  await new Promise((resolve) => process.nextTick(resolve));
  expect(began).toEqual(["greedy 1", "other 1"]);
  await second;
  expect(began).toEqual(["greedy 1", "other 1", "greedy 2"]);
});

test("a resource needs none of these slots", async () => {
  const { heavy, resource } = responseSlots();
  await Promise.all([heavy("tenant", new Socket()), heavy("tenant", new Socket())]);
  expect(typeof resource("tenant", new Socket())).toBe("function");
});

test("work that takes turns is measured by its share of the time", () => {
  let at = 0;
  const begin = sharedClock(() => at);
  at = 1_000;
  const endLong = begin();
  at += 10;
  const endShort = begin();
  at += 10;
  expect(endShort()).toBe(5);
  at += 10;
  expect(endLong()).toBe(25);
});
