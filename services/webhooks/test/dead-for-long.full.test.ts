// An endpoint that was down for a long time, with 20,000 deliveries that wait (interface §17): its first success frees them,
// oldest first and paced, and other endpoints are not affected.
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "@jest/globals";
import { until } from "@tradepost/testing";
import { PATIENCE } from "../src/sending/next-attempt.ts";
import { insertBacklog, rankOf } from "./support/backlog.ts";
import { startWithReceiver } from "./support/use-webhooks.ts";

setFlagsFromString("--expose-gc");
const collectGarbage: () => void = runInNewContext("gc");

const WAITING = 20_000;
const FREED = 2_500;
const STRANGERS = 100;
// Deliveries that two processes have claimed but not yet sent: many on a busy machine.
const IN_PROGRESS_MAX = 2_000;
const MEMORY_BYTES_MAX = 64 * 1024 * 1024;

test("the first success frees what waits, and a stranger's deliveries do not wait behind it", async () => {
  const started = await startWithReceiver(
    { WEBHOOKS_RETRY_SCHEDULE: "1h,1h" },
    { patience: { ...PATIENCE, tryEveryMs: 500, trySeldomEveryMs: 500 } },
  );
  await using _ = { [Symbol.asyncDispose]: started.stop };
  const { webhooks, receiver } = started;
  await webhooks.startReplica();
  const dead = webhooks.tenant();
  const stranger = webhooks.tenant();
  const { id } = await dead.subscribe(`${receiver.url}/dead`);
  await stranger.subscribe(`${receiver.url}/stranger`);
  let isDown = true;
  receiver.behave(({ path }) => (isDown && path === "/dead" ? 500 : 200));
  const ranks = () =>
    receiver.received
      .filter(({ path }) => path === "/dead")
      .map(({ headers }) => rankOf(String(headers["x-service-delivery"])));

  // A delivery may arrive twice.
  const countOf = (path: string) =>
    new Set(
      receiver.received
        .filter((one) => one.path === path)
        .map(({ headers }) => headers["x-service-delivery"]),
    ).size;

  await webhooks.pool.query(
    `update subscriptions set consecutive_failures = 40, failing_since = now() - interval '9 days',
            down_since = now() - interval '8 days', held_until = now() + interval '10 seconds' where id = $1`,
    [id],
  );
  collectGarbage();
  const memoryBefore = process.memoryUsage().heapUsed;
  await insertBacklog(webhooks.pool, dead, id, WAITING);
  await until("three tries", () => ranks().length >= 3);
  collectGarbage();
  expect(process.memoryUsage().heapUsed - memoryBefore).toBeLessThan(MEMORY_BYTES_MAX);
  expect(ranks().slice(0, 3)).toEqual([1, 2, 3]);

  receiver.received.length = 0;
  isDown = false;
  await until("a stream of deliveries", () => ranks().length >= FREED, 240_000);
  const { health } = await dead.subscription(id);
  expect(health).toMatchObject({ status: "healthy", heldUntil: null, downSince: null });
  expect(health.waiting).toBeGreaterThan(WAITING / 2);
  // Every fourth waits for a retry in an hour.
  const sent = ranks();
  expect(Math.max(...sent)).toBeLessThan((sent.length * 4) / 3 + IN_PROGRESS_MAX);
  expect(new Set(sent).size).toBe(sent.length);

  await Promise.all(
    Array.from({ length: STRANGERS }, (_, number) =>
      webhooks.emit(stranger.tenantId, { number: number + 1 }),
    ),
  );
  await until("each of the stranger's", () => countOf("/stranger") === STRANGERS, 240_000);
  // The stranger's deliveries did not wait behind the backlog.
  expect(countOf("/dead")).toBeLessThan((WAITING * 3) / 4);

  const { rows } = await webhooks.pool.query(
    `select max(attempt_count) as most,
            count(*) filter (where attempt_count = 1 and not exists
              (select from attempts where delivery_id = deliveries.id))::integer as "beganWithOne"
       from deliveries where subscription_id = $1`,
    [id],
  );
  // Waiting used up no attempts: every other delivery that has one made it.
  expect(rows).toEqual([{ most: 1, beganWithOne: WAITING / 4 }]);
}, 400_000);
