// Window buckets in this process, and, if Redis is available, in Redis.
import { randomUUID } from "node:crypto";
import { createLogger } from "@tradepost/runtime";
import { testRedisUrl, until } from "@tradepost/testing";
import { type BucketStore, memoryStore, windowBuckets } from "./bucket-store.ts";
import { redisStore } from "./redis-buckets.ts";
import { ONE, ONE_BACK, READ } from "./token-bucket.ts";

const redisUrl = testRedisUrl();
const SIZE = { windowSeconds: 60, capacity: 2 };

/** Resolves once the store counts in Redis: another one then sees its charges. */
async function connectedStore(url: string): Promise<BucketStore> {
  const logger = createLogger("test", "silent");
  const [store, other] = [redisStore(url, logger), redisStore(url, logger)];
  await until("both stores to be connected", async () => {
    const name = `test-${randomUUID()}`;
    await store.buckets(name, SIZE)("key", ONE);
    return (await other.buckets(name, SIZE)("key", READ)).msUntilFull > 0;
  });
  await other.stop();
  return store;
}

const PLACES: [string, () => Promise<BucketStore>][] = [["this process", async () => memoryStore()]];
if (redisUrl !== undefined) PLACES.push(["Redis", () => connectedStore(redisUrl)]);

describe.each(PLACES)("a window bucket in %s", (_place, open) => {
  let store: BucketStore;
  beforeAll(async () => {
    store = await open();
  });
  afterAll(() => store.stop());
  const bucketOf = (size: { windowSeconds: number; capacity: number }) => {
    const charge = store.buckets(`test-${randomUUID()}`, size);
    return (toCharge = ONE) => charge("key", toCharge);
  };

  test("admits as many as it holds, and no more before the window ends", async () => {
    const charge = bucketOf(SIZE);
    expect([await charge(), await charge()]).toMatchObject([{ isAdmitted: true }, { isAdmitted: true }]);
    const refused = await charge();
    expect(refused.isAdmitted).toBe(false);
    expect(refused.msUntilFull).toBeGreaterThan(50_000);
    expect(refused.msUntilFull).toBeLessThanOrEqual(60_000);
  });

  test("is full at once when the window ends, which began with the first token", async () => {
    const charge = bucketOf({ windowSeconds: 1, capacity: 2 });
    for (let count = 0; count < 2; count += 1) await charge();
    await until("the end of the window", async () => (await charge(READ)).isAdmitted);
    const states = [await charge(), await charge(), await charge()];
    expect(states.map(({ isAdmitted }) => isAdmitted)).toEqual([true, true, false]);
  });

  test("is read without a charge, and takes no charge that it refuses", async () => {
    const charge = bucketOf(SIZE);
    expect(await charge(READ)).toEqual({ isAdmitted: true, msUntilFull: 0 });
    await charge();
    expect((await charge(READ)).isAdmitted).toBe(true);
    await charge();
    expect([(await charge(READ)).isAdmitted, (await charge()).isAdmitted]).toEqual([false, false]);
    await charge(ONE_BACK);
    expect((await charge()).isAdmitted).toBe(true);
  });

  test("gets tokens back, but never holds more than its size", async () => {
    const charge = bucketOf(SIZE);
    await charge();
    expect(await charge(ONE_BACK)).toEqual({ isAdmitted: true, msUntilFull: 0 });
    await charge(ONE_BACK);
    await charge();
    await charge();
    expect((await charge()).isAdmitted).toBe(false);
  });
});

test("of too many window buckets, the one that was charged longest ago is dropped, and a full one needs no entry", () => {
  const buckets = windowBuckets(SIZE, 3);
  for (const key of ["a", "b", "a", "c", "d", "e"]) buckets.charge(key, ONE);
  expect(buckets.count()).toBe(3);
  const isFull = (key: string) => buckets.charge(key, READ).msUntilFull === 0;
  expect(["a", "b", "c", "d", "e"].map(isFull)).toEqual([true, true, false, false, false]);
  buckets.charge("e", ONE_BACK);
  expect(buckets.count()).toBe(2);
});
