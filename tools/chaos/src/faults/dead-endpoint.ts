// An endpoint that resets every connection for a shortened day, while the processes that send to it are killed. The deliveries must
// wait without using up attempts, and arrive oldest first when the endpoint is back.
import { sleep } from "@tradepost/runtime";
import { until } from "@tradepost/testing";
import { PATIENCE } from "../patience.ts";
import { runOps } from "../run-ops.ts";
import type { Fault, FaultContext } from "./fault.ts";
import {
  attemptsOf,
  type OwnEndpoint,
  type OwnEndpoints,
  openOwnEndpoints,
  type RecordedDelivery,
} from "./own-endpoints.ts";

const SELDOM_TRIES = 3;
/** Times are rounded to milliseconds: up in one column, down in another. */
const ROUNDING_MS = 2;
/** Deliveries to this endpoint arrive in order. To the other one, many are in flight at once. */
const ONE_AT_A_TIME = "one at a time";
const KINDS = ["endpoint_down", "endpoint_failing"];

interface Day {
  readonly deadAt: number;
  readonly restartedAt: number;
  readonly seldomAt: number;
  readonly backAt: number;
}

export const deadEndpoint: Fault = {
  name: "endpoint dead for a day",
  // Leases are requests of the processes that are killed.
  mayFailRequests: true,
  inject: async (context) => {
    await using own = await openOwnEndpoints(context, "chaos-dead", [
      { name: "without a limit" },
      { name: ONE_AT_A_TIME, maxInFlight: 1 },
    ]);
    const day = await spendDay(context, own);
    await own.untilDrained();
    const drainedAt = Date.now();
    for (const endpoint of own.endpoints) {
      const deliveries = await own.deliveriesTo(endpoint);
      checkTries(context, endpoint, day);
      checkWaiting(context, endpoint, deliveries, day);
      if (own.missingAt(endpoint) > 0)
        context.fail(`${own.missingAt(endpoint)} events did not arrive (${endpoint.name})`);
    }
    await checkNotices(context, own, { areOpen: false });
    context.note(`all had arrived ${seconds(drainedAt - day.backAt)} after the endpoints were back`);
  },
};

async function spendDay(context: FaultContext, own: OwnEndpoints): Promise<Day> {
  const { platform } = context;
  own.startTraffic();
  await until("the endpoints to be alive", () =>
    own.endpoints.every(({ arrivals }) => arrivals.some(({ isAccepted }) => isAccepted)),
  );
  own.behave(() => "reset");
  const deadAt = Date.now();
  await until("the endpoints to be down", async () =>
    (await own.states()).every(({ downSince }) => downSince !== null),
  );
  const downAt = Math.max(...(await own.states()).map(({ downSince }) => downSince?.getTime() ?? 0));
  for (const names of [["webhooks-1", "webhooks-2"], ["webhooks-1"]]) {
    for (const name of names) platform.process(name).kill();
    await platform.untilReady();
  }
  const restartedAt = Date.now();
  const seldomAt = downAt + PATIENCE.seldomAfterMs;
  await sleep(Math.max(0, seldomAt - Date.now()) + SELDOM_TRIES * PATIENCE.trySeldomEveryMs);
  await checkNotices(context, own, { areOpen: true });
  own.behave(() => 200);
  const backAt = Date.now();
  await until("the first success", () =>
    own.endpoints.every(({ arrivals }) => arrivals.at(-1)?.isAccepted === true),
  );
  await own.stopTraffic();
  return { deadAt, restartedAt, seldomAt, backAt };
}

/** One try at a time, first often, then seldom. */
function checkTries({ note, fail }: FaultContext, { name, arrivals }: OwnEndpoint, day: Day): void {
  const tries = attemptsOf(arrivals.filter(({ at }) => at >= day.restartedAt && at < day.backAt));
  for (const [index, { at }] of tries.slice(1).entries()) {
    const previousAt = tries[index]?.at ?? 0;
    const pauseMs = previousAt > day.seldomAt + ROUNDING_MS ? PATIENCE.trySeldomEveryMs : PATIENCE.tryEveryMs;
    if (at - previousAt < pauseMs - ROUNDING_MS) fail(`tried again after ${at - previousAt} ms (${name})`);
  }
  note(`${name}: ${tries.length} tries in the last ${seconds(day.backAt - day.restartedAt)} of the day`);
}

function checkWaiting(
  { note, fail }: FaultContext,
  { name, arrivals }: OwnEndpoint,
  deliveries: readonly RecordedDelivery[],
  day: Day,
): void {
  const undelivered = deliveries.filter(({ status }) => status !== "delivered");
  if (undelivered.length > 0) fail(`${undelivered.length} deliveries were not delivered (${name})`);
  const attempted = new Set(arrivals.filter(({ at }) => at < day.backAt).map((one) => one.deliveryId));
  const isFromThatDay = ({ createdAt }: RecordedDelivery) =>
    createdAt.getTime() >= day.deadAt && createdAt.getTime() < day.backAt;
  const waited = new Map(
    deliveries
      .filter((delivery) => isFromThatDay(delivery) && !attempted.has(delivery.id))
      .map((delivery) => [delivery.id, delivery]),
  );
  const charged = [...waited.values()].filter(({ attemptCount }) => attemptCount !== 1);
  if (charged.length > 0) fail(`${charged.length} deliveries that waited used up attempts (${name})`);
  const createdTimes = arrivals.flatMap(
    ({ deliveryId }) => waited.get(deliveryId)?.createdAt.getTime() ?? [],
  );
  const overtaken = countOvertaken(createdTimes);
  if (name === ONE_AT_A_TIME && overtaken > 0) fail(`${overtaken} deliveries arrived out of order (${name})`);
  note(`${name}: ${waited.size} of ${deliveries.length} deliveries waited without an attempt`);
  if (waited.size === 0) fail(`nothing waited (${name})`);
}

function countOvertaken(times: readonly number[]): number {
  let latest = Number.NEGATIVE_INFINITY;
  return times.filter((time) => {
    latest = Math.max(latest, time);
    return time < latest - ROUNDING_MS;
  }).length;
}

/** One notice of each kind, and nothing else. */
async function checkNotices(
  { platform, fail }: FaultContext,
  { tenantId, endpoints }: OwnEndpoints,
  { areOpen }: { areOpen: boolean },
): Promise<void> {
  const notices = JSON.parse(await runOps(platform, "notices", "list", "--tenant", tenantId, "--json")) as {
    kind: string;
    subscriptionId: string | null;
    closedAt: string | null;
  }[];
  const when = areOpen ? "while the endpoints are down" : "afterwards";
  const open = notices.filter(({ closedAt }) => closedAt === null);
  if (open.length !== (areOpen ? notices.length : 0)) fail(`${open.length} notices are open ${when}`);
  for (const { name, subscriptionId } of endpoints) {
    const kinds = notices.filter((one) => one.subscriptionId === subscriptionId).map(({ kind }) => kind);
    if (kinds.toSorted().join() !== KINDS.join())
      fail(`notices ${when} (${name}): ${kinds.join(", ") || "none"}`);
  }
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}
