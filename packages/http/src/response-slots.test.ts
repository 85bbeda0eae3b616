import { Socket } from "node:net";
import { responseSlots, sharedClock } from "./response-slots.ts";

/** `take` records in `given` by which names it got a slot. */
function recording<End>(acquire: (tenantId: string, client: Socket) => End | Promise<End>) {
  const given: string[] = [];
  const take = async (tenantId: string, name: string) => {
    const end = await acquire(tenantId, new Socket());
    given.push(name);
    return end;
  };
  return { given, take };
}

test("a tenant has two heavy responses in progress, and another tenant's go first", async () => {
  const { given, take } = recording(responseSlots().heavy);
  const [first, second, third] = [1, 2, 3].map((count) => take("greedy", `greedy ${count}`));
  const releaseFirst = await first;
  await take("other", "other 1");
  expect(given).toEqual(["greedy 1", "greedy 2", "other 1"]);
  releaseFirst?.();
  await Promise.all([second, third]);
  expect(given.at(-1)).toBe("greedy 3");
});

test("a tenant works on one heavy response at a time, which delays no other tenant", async () => {
  const { given, take } = recording(responseSlots().takeTurn);
  const endFirst = await take("greedy", "greedy 1");
  const second = take("greedy", "greedy 2");
  await take("other", "other 1");
  endFirst();
  // Other requests that are ready go on before the tenant's next turn.
  await new Promise((resolve) => process.nextTick(resolve));
  expect(given).toEqual(["greedy 1", "other 1"]);
  await second;
  expect(given).toEqual(["greedy 1", "other 1", "greedy 2"]);
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
